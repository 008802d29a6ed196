// One HTTP exchange as k6/http makes it, over node:http.

import { Agent, request } from 'node:http';

const TIMED_OUT = 1050;
const REFUSED = 1212;
const RESET = 1220;
const OTHER = 1000;

const agent = new Agent({ keepAlive: true });

/**
 * Never fails: what went wrong is in the answer.
 * @param {string} url
 * @param {string | ArrayBuffer} body
 * @param {{ headers?: Record<string, string>, timeout?: number }} params
 */
export function exchange(url, body, params) {
  const started = performance.now();
  return new Promise((resolve) => {
    const content = typeof body === 'string' ? body : new Uint8Array(body);
    const headers = { ...params.headers, 'content-length': String(content.length) };
    const outgoing = request(url, { method: 'POST', agent, headers });
    const timer = setTimeout(
      () => outgoing.destroy(Object.assign(new Error('request timeout'), { code: 'TIMED_OUT' })),
      Math.min(Math.ceil(params.timeout ?? 60_000), 2 ** 31 - 1),
    );
    const end = (answer) => {
      clearTimeout(timer);
      const durationMs = performance.now() - started;
      resolve({ ...answer, timings: { blocked: 0, duration: durationMs } });
    };
    const fail = (error) => end(failure(error));
    outgoing.on('error', fail);
    outgoing.on('response', (incoming) => {
      const pieces = [];
      incoming.on('data', (piece) => pieces.push(piece));
      incoming.on('error', fail);
      incoming.on('end', () => end(answerOf(incoming, new Uint8Array(Buffer.concat(pieces)).buffer)));
    });
    outgoing.end(content);
  });
}

function answerOf(incoming, body) {
  return {
    status: incoming.statusCode,
    status_text: `${incoming.statusCode} ${incoming.statusMessage}`,
    headers: headersOf(incoming.rawHeaders),
    body,
    error: '',
    error_code: incoming.statusCode >= 400 ? OTHER + incoming.statusCode : 0,
  };
}

/** Names as Go writes them, repeated values joined, bytes as UTF-8. */
function headersOf(raw) {
  const headers = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at].toLowerCase().replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());
    const value = Buffer.from(raw[at + 1], 'latin1').toString('utf8');
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

function failure(error) {
  const codes = { TIMED_OUT, ECONNREFUSED: REFUSED, ECONNRESET: RESET };
  return {
    status: 0,
    status_text: '',
    headers: {},
    body: null,
    error: error.message,
    error_code: codes[error.code] ?? OTHER,
  };
}
