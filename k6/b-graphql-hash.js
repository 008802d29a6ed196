// Scenario b in GraphQL by hash: the document is named by its SHA-256 hash instead of sent.

import { graphqlOperation } from './lib/graphql.js';
import { BOOK_DETAIL_HASH, extensions } from './lib/persisted.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const request = { extensions: extensions(BOOK_DETAIL_HASH), variables: { id: '1' } };

export default graphqlOperation(request, '"reviews":[{');

export const handleSummary = summarize('b-graphql-hash');
