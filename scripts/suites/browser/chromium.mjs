// Chromium without a window.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = process.env.CHROMIUM ?? 'chromium';

/**
 * Opens a page in a browser with an empty profile. `ended` resolves with what it said when it ends, or
 * cannot be started; `close` ends it.
 */
export function open(url) {
  const profile = mkdtempSync(join(tmpdir(), 'bookstore-browser-'));
  const args = [
    '--headless=new', `--user-data-dir=${profile}`, '--no-first-run', '--disable-gpu', '--disable-dev-shm-usage',
    '--disable-background-networking', '--disable-component-update', '--disable-extensions', '--disable-sync',
    '--ignore-certificate-errors', // the relay's own
    '--no-proxy-server',
  ];
  // Its sandbox does not work for root; the one page that it opens is ours.
  if (process.getuid() === 0) args.push('--no-sandbox');
  const browser = spawn(PROGRAM, [...args, url], { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  browser.stderr.setEncoding('utf8').on('data', (text) => { said += text; });
  const ended = new Promise((resolve) => {
    browser.on('error', (error) => resolve(`${PROGRAM} cannot be started (${error.message}); `
      + 'run scripts/setup, or name one in CHROMIUM'));
    browser.on('close', (code, signal) => resolve(`${PROGRAM} ended with ${signal ?? code}:\n${said}`));
  });
  const kill = () => {
    try {
      if (browser.pid) process.kill(-browser.pid, 'SIGKILL'); // the group: it is many processes
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const remove = () => rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
  const leave = () => {
    kill();
    remove();
  };
  process.once('exit', leave);
  const close = async () => {
    kill();
    await ended;
    process.off('exit', leave);
    remove();
  };
  return { ended, close };
}
