// Scenario a in GraphQL by id: the document is named by a short id that the server lists.

import { graphqlOperation } from './lib/graphql.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const variables = { input: { orderId: ORDER_ID, lines: lines() } };

export default graphqlOperation({ documentId: 'a', variables }, `"orderId":"${ORDER_ID}"`);

export const handleSummary = summarize('a-graphql-id');
