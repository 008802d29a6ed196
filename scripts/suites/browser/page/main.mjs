// The page: calls with every client, and reports to where it came from.
import { calls } from './calls.mjs';
import { connectClient } from './connect.mjs';
import { officialClient } from './official.mjs';
import { facts } from './plain.mjs';

const clients = [officialClient('text'), officialClient('binary'), connectClient()];

async function attempt(name, check) {
  try {
    await check();
    return { name, ok: true };
  } catch (error) {
    return { name, ok: false, reason: error.message };
  }
}

async function main() {
  const setting = await (await fetch('/setting')).json();
  const verdicts = [];
  for (const client of clients) {
    for (const [name, call] of Object.entries(calls)) {
      verdicts.push(await attempt(`${client.name}: ${name}`, () => call(client, setting)));
    }
  }
  for (const [name, fact] of Object.entries(facts)) {
    verdicts.push(await attempt(`fetch: ${name}`, () => fact(setting)));
  }
  return { verdicts };
}

const report = await main().catch((error) => ({ verdicts: [], fault: error.stack }));
await fetch('/report', { method: 'POST', body: JSON.stringify(report) });
