// Scenario b in GraphQL: one query for the whole screen.

import { graphqlOperation } from './lib/graphql.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const query = open('./lib/documents/book-detail.graphql');

export default graphqlOperation({ query, variables: { id: '1' } }, '"reviews":[{');

export const handleSummary = summarize('b-graphql');
