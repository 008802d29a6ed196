// GraphQL operations: one POST whose body never changes.

import http from 'k6/http';

import { answered, checkOfAnswer } from './checks.js';
import { operation } from './sequence.js';
import { BASE_URL } from './target.js';

const url = `${BASE_URL}/graphql`;
const params = { headers: { 'Content-Type': 'application/json' } };

/**
 * The operation that sends a request and is answered without errors.
 * @param {Record<string, unknown>} request the document, or what names it, and its variables
 * @param {string} content text that the answer must contain
 */
export function graphqlOperation(request, content) {
  const body = JSON.stringify(request);
  const checkAnswer = checkOfAnswer(
    (/** @type {http.Response} */ response) =>
      answered(response, 200, content) && !String(response.body).includes('"errors"'),
  );
  return operation(() => {
    checkAnswer(http.post(url, body, params));
  });
}
