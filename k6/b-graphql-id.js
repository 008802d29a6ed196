// Scenario b in GraphQL by id: the document is named by a short id that the server lists.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const body = JSON.stringify({ documentId: 'b', variables: { id: '1' } });
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const response = http.post(url, body, params);
  checkOperation(
    () =>
      answered(response, 200, '"reviews":[{') &&
      !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('b-graphql-id');
