// The servers around the page: its own, one that lets no page in, and a relay with TLS.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOST = '127.0.0.1';

async function listen(server, scheme) {
  server.listen(0, HOST);
  await once(server, 'listening');
  return `${scheme}://${HOST}:${server.address().port}`;
}

/** Serves the page at `/` and its setting; `report` resolves with what the page sends back. */
export async function pageServer(script, setting) {
  let settle;
  const report = new Promise((resolve, reject) => { settle = { resolve, reject }; });
  const page = `<!doctype html><meta charset="utf-8"><title>Bookstore</title><script type="module">${script}</script>`;
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') {
      const chunks = [];
      request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
        response.end();
        try {
          settle.resolve(JSON.parse(Buffer.concat(chunks)));
        } catch (error) {
          settle.reject(error);
        }
      });
    } else if (request.url === '/setting') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(setting));
    } else {
      response.setHeader('content-type', 'text/html').end(page);
    }
  });
  return { url: await listen(server, 'http'), report, close: () => server.close().closeAllConnections() };
}

/** A server without a word on CORS; it notes what reaches it. */
export async function closedServer() {
  const seen = [];
  const server = http.createServer((request, response) => {
    seen.push({ method: request.method, asksFor: request.headers['access-control-request-headers'] ?? '' });
    response.end();
  });
  return { url: await listen(server, 'http'), seen, close: () => server.close().closeAllConnections() };
}

// A key and a certificate that nobody but this run knows.
function credentials() {
  const folder = mkdtempSync(join(tmpdir(), 'bookstore-relay-'));
  try {
    const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
    execFileSync('openssl', [
      'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
      '-subj', `/CN=${HOST}`, '-addext', `subjectAltName=IP:${HOST}`, '-keyout', key, '-out', cert,
    ], { stdio: 'pipe' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * HTTP/2 over TLS in front of the server's HTTP/2, as a proxy would be. It passes trailers on, and notes
 * those of calls in plain gRPC.
 */
export async function relay(upstream) {
  const session = http2.connect(upstream);
  await once(session, 'connect');
  const trailersSent = [];
  const server = http2.createSecureServer(credentials());
  server.on('stream', (stream, { ':authority': _authority, ':scheme': _scheme, host: _host, ...headers }) => {
    const call = session.request(headers);
    let trailers = {};
    call.on('response', ({ ...answer }) => stream.respond(answer, { waitForTrailers: true }));
    call.on('trailers', (received) => { trailers = { ...received }; });
    call.on('error', () => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR));
    stream.on('error', () => call.close());
    stream.on('wantTrailers', () => {
      if (headers['content-type'] === 'application/grpc') trailersSent.push(trailers);
      stream.sendTrailers(trailers);
    });
    stream.pipe(call).pipe(stream);
  });
  const sessions = new Set();
  server.on('session', (opened) => {
    sessions.add(opened);
    opened.on('close', () => sessions.delete(opened));
  });
  const close = () => {
    session.destroy();
    for (const opened of sessions) opened.destroy();
    server.close();
  };
  return { url: await listen(server, 'https'), trailersSent, close };
}
