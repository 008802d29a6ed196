// Scenario e.pool in GraphQL: one query with four lists, which the server may read side by side.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { arePrices, headers, inEnvelope, queryBody, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('graphql');

const url = `${BASE_URL}/graphql`;
const body = queryBody(open('./lib/documents/side-by-side.graphql'));

export default operation((data) => {
  const answer = http.post(url, body, headers(data, { 'Content-Type': 'application/json' }));
  checkOperation(() => {
    const { first, second, third, fourth } = inEnvelope(answer) || {};
    return [first, second, third, fourth].every(arePrices);
  });
});

export const handleSummary = summarize('e-pool-graphql');
