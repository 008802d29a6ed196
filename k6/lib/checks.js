// Every answer is checked; an operation counts only when its one check passes.

import { check } from 'k6';

/**
 * One check for one operation.
 * @param {() => boolean} passed
 */
export function checkOperation(passed) {
  check(null, { ok: passed });
}

/**
 * @param {import('k6/http').Response} response
 * @param {number} status
 * @param {string} content text that the body must contain
 * @returns {boolean}
 */
export function answered(response, status, content) {
  if (response.status !== status) return false;
  const body = response.body;
  return typeof body === 'string' && contains(body, content);
}

/**
 * Whether a text is in a body. Engines look for its first character with less work than `includes`
 * compares at every place.
 * @param {string} body
 * @param {string} content
 * @returns {boolean}
 */
export function contains(body, content) {
  return body.indexOf(content) >= 0;
}
