// Scenario b in GraphQL by GET: the document is named by its SHA-256 hash, so the query has an address.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { BOOK_DETAIL_HASH, queryUrl } from './lib/persisted.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = queryUrl(`${BASE_URL}/graphql`, BOOK_DETAIL_HASH, { id: '1' });

export default operation(() => {
  const response = http.get(url);
  checkOperation(
    () =>
      answered(response, 200, '"reviews":[{') && !String(response.body).includes('"errors"'),
  );
});

export const handleSummary = summarize('b-graphql-get');
