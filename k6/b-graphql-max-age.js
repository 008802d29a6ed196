// Scenario b in GraphQL by GET and hash with a cache: what is kept is not asked for while its `max-age`
// lasts (`--cache-max-age 60`). Best driven at a rate (`RATE`).

import { checkOperation } from './lib/checks.js';
import { get } from './lib/http-cache.js';
import { BOOK_DETAIL_HASH, queryUrl } from './lib/persisted.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = queryUrl(`${BASE_URL}/graphql`, BOOK_DETAIL_HASH, { id: '1' });

export default operation(() => {
  const { status, body } = get(url);
  checkOperation(
    () => status === 200 && body.includes('"reviews":[{') && !body.includes('"errors"'),
  );
});

export const handleSummary = summarize('b-graphql-max-age');
