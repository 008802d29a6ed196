// Scenario b in GraphQL by id: the document is named by a short id that the server lists.

import { graphqlOperation } from './lib/graphql.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

export default graphqlOperation({ documentId: 'b', variables: { id: '1' } }, '"reviews":[{');

export const handleSummary = summarize('b-graphql-id');
