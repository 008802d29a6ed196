// Scenario b in GraphQL by hash: the document is named by its SHA-256 hash instead of sent.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { BOOK_DETAIL_HASH, extensions } from './lib/persisted.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/graphql`;
const extended = { extensions: extensions(BOOK_DETAIL_HASH), variables: { id: '1' } };
const body = JSON.stringify(extended);
const params = { headers: { 'Content-Type': 'application/json' } };

export default operation(() => {
  const response = http.post(url, body, params);
  checkOperation(
    () =>
      answered(response, 200, '"reviews":[{') &&
      !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('b-graphql-hash');
