// Scenario b.calls in GraphQL: the screens of CALLS books, one request after the other.

import http from 'k6/http';

import { callInTurn } from './lib/calls.js';
import { answered, checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const query = open('./lib/documents/book-detail.graphql');
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const passed = callInTurn((book) => {
    const body = JSON.stringify({ query, variables: { id: `${book}` } });
    const response = http.post(url, body, params);
    return answered(response, 200, '"reviews":[{') ? Number(response.json('data.book.id')) : 0;
  });
  checkOperation(() => passed);
});

export const handleSummary = summarize('b-calls-graphql');
