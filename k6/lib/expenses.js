// The expenses: how many are asked for, and the token for those who ask.
//
//   LIMIT            expenses in a list, default 500
//   PARTS            parts of each expense that are asked for beside it, default 0
//   EXPENSES_TOKENS  which styles must show a token: off, rest (default) or all, as the server was told
//   EXPENSES_TOKEN   the token; without it, setup logs in as test0

import http from 'k6/http';

import { setup as readServerCpu } from './server-cpu.js';
import { BASE_URL } from './target.js';

/** Expenses in a list. */
export const LIMIT = whole('LIMIT', '500', 1, 100000);

/** Parts of each expense that are asked for beside it. */
export const PARTS = whole('PARTS', '0', 0, 50);
const TOKENS = __ENV.EXPENSES_TOKENS || 'rest';

/**
 * What setup hands to every operation.
 * @typedef {{ cpuSeconds: number | undefined, token: string }} Data
 */

/**
 * @param {string} name
 * @param {string} usual
 * @param {number} least
 * @param {number} most
 * @returns {number}
 */
function whole(name, usual, least, most) {
  const text = __ENV[name] || usual;
  const number = Number(text);
  if (!Number.isInteger(number) || number < least || number > most) {
    throw new Error(`${name}=${text} cannot be used; give a whole number from ${least} to ${most}`);
  }
  return number;
}

/**
 * The setup of a script: a token where its style must show one, and the server's CPU so far.
 * @param {'rest' | 'graphql' | 'grpc'} style
 * @returns {() => Data}
 */
export function setupOf(style) {
  const shows = TOKENS === 'all' || (TOKENS === 'rest' && style === 'rest');
  return () => {
    // Checking a password takes CPU time on purpose, so it comes before the reading.
    const token = shows ? __ENV.EXPENSES_TOKEN || logIn() : '';
    return { ...readServerCpu(), token };
  };
}

/** @returns {string} */
function logIn() {
  const params = { headers: { 'Content-Type': 'application/json' } };
  const body = JSON.stringify({ username: 'test0', password: 'test' });
  const answer = http.post(`${BASE_URL}/api/v1/users/login`, body, params);
  if (answer.status !== 200) {
    throw new Error(`test0 cannot log in at ${BASE_URL} (status ${answer.status}); start the server with --expenses`);
  }
  return String(answer.json('data.token'));
}

/**
 * The headers of a request: the token, if there is one, and others.
 * @param {Data} data
 * @param {Record<string, string>} [others]
 */
export function headers(data, others) {
  return { headers: { ...(data.token ? { Authorization: `Bearer ${data.token}` } : {}), ...others } };
}

/**
 * The metadata of a gRPC call: the token, if there is one.
 * @param {Data} data
 */
export function metadata(data) {
  return { metadata: data.token ? { authorization: `Bearer ${data.token}` } : {} };
}

/**
 * The address of REST's list.
 * @param {string} [query] further conditions, each with its `&`
 * @returns {string}
 */
export function list(query) {
  return `${BASE_URL}/api/v1/expenses?limit=${LIMIT}${query || ''}${PARTS > 0 ? `&parts=${PARTS}` : ''}`;
}

/** The address of all users. */
export const users = `${BASE_URL}/api/v1/users`;

/**
 * A document as the body of a request, for the number of expenses and parts that is asked for.
 * @param {string} document
 * @returns {string}
 */
export function queryBody(document) {
  let query = document.trim().split('limit:500').join(`limit:${LIMIT}`);
  if (PARTS > 0) query = query.replace('tags{name}', `tags{name},parts(first:${PARTS}){number,name,quantity,price}`);
  return JSON.stringify({ query });
}

/**
 * What is in the envelope of an answer; nothing when it is no success.
 * @param {import('k6/http').Response} answer
 * @returns {any}
 */
export function inEnvelope(answer) {
  return answer.status === 200 ? /** @type {any} */ (answer.json()).data : undefined;
}

/**
 * Whether these are all expenses that were asked for, each with the whole of its payee and its parts.
 * @param {any} expenses
 * @returns {boolean}
 */
export function areWhole(expenses) {
  return (
    Array.isArray(expenses) &&
    expenses.length === LIMIT &&
    expenses.every(
      ({ title, payee, parts }) =>
        typeof title === 'string' && payee && (payee.createdAt || payee.created_at) && (PARTS === 0 || parts.length === PARTS),
    )
  );
}

/**
 * Whether these are prices and nothing else.
 * @param {any} expenses
 * @returns {boolean}
 */
export function arePrices(expenses) {
  return hasSome(expenses) && expenses.every((/** @type {any} */ { price }) => Number.isInteger(price));
}

/**
 * @param {any} expenses
 * @returns {boolean}
 */
export function hasSome(expenses) {
  return Array.isArray(expenses) && expenses.length > 0 && expenses.length <= LIMIT;
}
