// Scenario a in GraphQL by id: the document is named by a short id that the server lists.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const variables = { input: { orderId: ORDER_ID, lines: lines() } };
const body = JSON.stringify({ documentId: 'a', variables });
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const response = http.post(url, body, params);
  checkOperation(
    () =>
      answered(response, 200, `"orderId":"${ORDER_ID}"`) &&
      !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('a-graphql-id');
