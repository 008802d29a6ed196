// Asks a server that misbehaves in every way; what is not as it must be is written as an error.

import http from 'k6/http';

export const options = { iterations: 1 };

// Path, status, body, k6's error code.
const cases = [
  ['/ok', 200, 'ok', 0],
  ['/byte-by-byte', 200, 'hello', 0],
  ['/chunked', 200, 'hello', 0],
  ['/informed', 200, 'ok', 0],
  ['/until-close', 200, 'hello', 0],
  ['/stale', 200, 'ok', 0],
  ['/ok', 200, 'ok', 0],
  ['/dies-when-reused', 200, 'ok', 0],
  ['/surplus', 200, 'ok', 0],
  ['/ok', 200, 'ok', 0],
  ['/half-head', 0, null, 1000],
  ['/short', 0, null, 1000],
  ['/bad-chunk', 0, null, 1000],
  ['/two-lengths', 0, null, 1000],
  ['/no-http', 0, null, 1000],
  ['/endless-head', 0, null, 1000],
  ['/silent', 0, null, 1050],
  ['/ok', 200, 'ok', 0],
];

const large = 'x'.repeat(16 << 20);

function expect(path, response, expected) {
  const seen = JSON.stringify([response.status, response.body, response.error_code]);
  if (seen !== JSON.stringify(expected)) {
    console.error(`${path}: ${seen} instead of ${JSON.stringify(expected)}; ${response.error}`);
  }
}

export default function () {
  for (const [path, ...expected] of cases) {
    const timeout = path === '/silent' ? '50ms' : '60s';
    expect(path, http.get(`${__ENV.BASE_URL}${path}`, { timeout }), expected);
  }
  expect('HEAD', http.head(`${__ENV.BASE_URL}/ok`), [200, '', 0]);
  // The server reads no byte of the body before the next request comes.
  const refused = http.post(`${__ENV.BASE_URL}/refused`, large);
  expect('/refused', refused, [413, 'no', 1413]);
  expect('/after-refusal', http.get(`${__ENV.BASE_URL}/after-refusal`), [200, 'ok', 0]);
}

export function handleSummary() {
  return {};
}
