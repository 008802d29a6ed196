// Scenario a in GraphQL by hash: the document is named by its SHA-256 hash instead of sent.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { extensions, RESERVE_STOCK_HASH } from './lib/persisted.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const variables = { input: { orderId: ORDER_ID, lines: lines() } };
const body = JSON.stringify({ extensions: extensions(RESERVE_STOCK_HASH), variables });
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const response = http.post(url, body, params);
  checkOperation(
    () =>
      answered(response, 200, `"orderId":"${ORDER_ID}"`) &&
      !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('a-graphql-hash');
