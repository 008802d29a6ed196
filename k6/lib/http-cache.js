// A virtual user's own HTTP cache, as a browser has one: an answer is taken from it while `max-age` lasts,
// and asked for with its ETag afterwards. What a server marks as neither is fetched every time.

import http from 'k6/http';

/**
 * @typedef {{ status: number, body: string }} Answer
 * @typedef {{ answer: Answer, tag: string | undefined, freshUntil: number }} Kept
 */

/** @type {Map<string, Kept>} */
const kept = new Map();

/**
 * The value of a header; k6 writes its name with capitals.
 * @param {import('k6/http').Response} response
 * @param {string} name
 * @returns {string | undefined}
 */
function header(response, name) {
  const found = Object.keys(response.headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? undefined : response.headers[found];
}

/**
 * Until when an answer may be used unasked, in milliseconds of the clock.
 * @param {import('k6/http').Response} response
 * @returns {number}
 */
function freshUntil(response) {
  const seconds = /(?:^|[\s,])max-age=(\d+)/.exec(header(response, 'cache-control') || '');
  return seconds ? Date.now() + Number(seconds[1]) * 1000 : 0;
}

/**
 * @param {string} url
 * @param {import('k6/http').Response} response
 * @returns {Answer}
 */
function remember(url, response) {
  const known = kept.get(url);
  if (response.status === 304 && known) {
    known.freshUntil = freshUntil(response);
    return known.answer;
  }
  const answer = { status: response.status, body: String(response.body) };
  const tag = header(response, 'etag');
  const until = freshUntil(response);
  if (response.status === 200 && (tag !== undefined || until > 0)) {
    kept.set(url, { answer, tag, freshUntil: until });
  } else {
    kept.delete(url);
  }
  return answer;
}

/**
 * @param {string} url
 * @returns {import('k6/http').ObjectBatchRequest}
 */
function request(url) {
  const tag = kept.get(url)?.tag;
  return tag === undefined
    ? { method: 'GET', url }
    : { method: 'GET', url, params: { headers: { 'If-None-Match': tag } } };
}

/**
 * GETs side by side, without those that the cache answers.
 * @param {string[]} urls
 * @returns {Answer[]} in the order of the addresses
 */
export function getAll(urls) {
  const now = Date.now();
  const stale = urls.filter((url) => now >= (kept.get(url)?.freshUntil ?? 0));
  /** @type {Map<string, Answer>} */
  const fetched = new Map();
  if (stale.length > 0) {
    const responses = http.batch(stale.map(request));
    stale.forEach((url, nth) => fetched.set(url, remember(url, responses[nth])));
  }
  return urls.map((url) => fetched.get(url) ?? /** @type {Kept} */ (kept.get(url)).answer);
}

/**
 * One GET, unless the cache answers it.
 * @param {string} url
 * @returns {Answer}
 */
export function get(url) {
  return getAll([url])[0];
}
