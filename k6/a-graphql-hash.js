// Scenario a in GraphQL by hash: the document is named by its SHA-256 hash instead of sent.

import { graphqlOperation } from './lib/graphql.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { extensions, RESERVE_STOCK_HASH } from './lib/persisted.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const variables = { input: { orderId: ORDER_ID, lines: lines() } };
const request = { extensions: extensions(RESERVE_STOCK_HASH), variables };

export default graphqlOperation(request, `"orderId":"${ORDER_ID}"`);

export const handleSummary = summarize('a-graphql-hash');
