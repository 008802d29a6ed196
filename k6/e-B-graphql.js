// Scenario e.B in GraphQL: the prices alone.

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
const body = queryBody(open('./lib/documents/prices.graphql'));

export default operation((data) => {
  const answer = http.post(url, body, headers(data, { 'Content-Type': 'application/json' }));
  checkOperation(() => arePrices(inEnvelope(answer)?.getExpenses));
});

export const handleSummary = summarize('e-B-graphql');
