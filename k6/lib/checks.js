// Every answer is checked; an operation counts only when its one check passes.

import { check } from 'k6';

/** The only check of an operation: asks what it is given. */
const CHECK = { ok: (/** @type {() => boolean} */ passed) => passed() };

/**
 * One check for one operation.
 * @param {() => boolean} passed
 */
export function checkOperation(passed) {
  check(passed, CHECK);
}

/**
 * The same for an operation whose answer alone tells: made once, where {@link checkOperation} takes a
 * function that is made for every operation.
 * @template T
 * @param {(answer: T) => boolean} passed
 * @returns {(answer: T) => void}
 */
export function checkOfAnswer(passed) {
  const checks = { ok: passed };
  return (answer) => {
    check(answer, checks);
  };
}

/**
 * @param {import('k6/http').Response} response
 * @param {number} status
 * @param {string} content text that the body must contain
 * @returns {boolean}
 */
export function answered(response, status, content) {
  // Read once: a host may make the text anew at every read.
  const body = response.status === status ? response.body : null;
  return typeof body === 'string' && body.includes(content);
}
