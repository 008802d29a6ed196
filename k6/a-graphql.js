// Scenario a in GraphQL: the reserveStock mutation, its document sent with every request.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const query = open('./lib/documents/reserve-stock.graphql');
const variables = { input: { orderId: ORDER_ID, lines: lines() } };
const body = JSON.stringify({ query, variables });
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const response = http.post(url, body, params);
  checkOperation(
    () =>
      answered(response, 200, `"orderId":"${ORDER_ID}"`) &&
      !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('a-graphql');
