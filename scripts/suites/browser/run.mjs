// Calls a running server from a page of another origin in Chromium, with the official gRPC-Web client
// and with Connect's, prints each verdict, and exits 1 unless all is as it should be.
//
//   node run.mjs http://127.0.0.1:5300 http://127.0.0.1:5301    # HTTP/1.1, and HTTP/2 without TLS
//
// CHROMIUM names the browser, if it is not `chromium`.
import { build } from 'esbuild';

import { open } from './chromium.mjs';
import { closedServer, pageServer, relay } from './peers.mjs';

const REPORT_WITHIN_MS = 60_000;

const [server, http2Server, ...rest] = process.argv.slice(2);
if (!http2Server || rest.length > 0 || ![server, http2Server].every((url) => URL.canParse(url))) {
  console.error(`usage: node run.mjs HTTP1_URL H2C_URL  (got ${JSON.stringify(process.argv.slice(2))})`);
  process.exit(2);
}

async function bundle() {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [new URL('page/main.mjs', import.meta.url).pathname],
    bundle: true, format: 'esm', target: 'es2022', write: false, logLevel: 'warning',
  });
  return text.replaceAll('</script', '<\\/script');
}

async function read(path) {
  const answer = await fetch(server + path).catch((error) => {
    throw new Error(`no answer from ${server}: ${error.cause?.message ?? error.message}`);
  });
  if (!answer.ok) throw new Error(`GET ${server}${path} answered ${answer.status}`);
  return answer.json();
}

// What the page must find: the same book, read by way of REST.
async function bookOne() {
  const { author, price, ...screen } = await read('/api/screens/book-detail/1');
  const reviews = await read('/api/books/1/reviews');
  return {
    book: { ...screen, authorName: author.name, priceCents: Math.round(price * 100) },
    reviews: reviews.map(({ reviewer, rating, text }) => ({ reviewer, rating, text })),
  };
}

function reportOf(page, browser) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no report within ${REPORT_WITHIN_MS} ms`)), REPORT_WITHIN_MS);
  });
  const gone = browser.ended.then((words) => { throw new Error(words); });
  return Promise.race([page.report, late, gone]).finally(() => clearTimeout(timer));
}

// The servers' side of what the page saw.
function serversSide(closed, tls) {
  const asked = closed.seen.filter(({ method }) => method === 'OPTIONS').map(({ asksFor }) => asksFor.split(','));
  const wanted = ['content-type', 'x-grpc-web', 'x-shop'];
  return [
    {
      name: 'every client asked for leave, with its headers and the metadata',
      ok: asked.length >= 3 && asked.every((names) => wanted.every((name) => names.includes(name))),
      reason: JSON.stringify(closed.seen),
    },
    {
      name: 'nothing but questions reached the server without CORS',
      ok: closed.seen.every(({ method }) => method === 'OPTIONS'),
      reason: JSON.stringify(closed.seen),
    },
    {
      name: 'the trailers that the page did not see were sent',
      ok: tls.trailersSent.length === 1 && tls.trailersSent[0]['grpc-status'] === '0',
      reason: JSON.stringify(tls.trailersSent),
    },
  ];
}

async function main() {
  const [script, { book, reviews }] = await Promise.all([bundle(), bookOne()]);
  const closed = await closedServer();
  const tls = await relay(http2Server);
  const page = await pageServer(script, {
    server, http2Server, relay: tls.url, closedServer: closed.url, book, reviews,
  });
  const browser = open(page.url);
  try {
    const { verdicts, fault } = await reportOf(page, browser);
    if (fault) throw new Error(`the page failed: ${fault}`);
    return [...verdicts, ...serversSide(closed, tls)];
  } finally {
    await browser.close();
    for (const peer of [page, tls, closed]) peer.close();
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const verdicts = await main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
for (const { name, ok, reason } of verdicts) console.log(ok ? `ok    ${name}` : `FAIL  ${name}: ${reason}`);
const failed = verdicts.filter(({ ok }) => !ok).length;
console.log(`${verdicts.length - failed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
