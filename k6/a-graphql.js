// Scenario a in GraphQL: the reserveStock mutation, its document sent with every request.

import { graphqlOperation } from './lib/graphql.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const query = open('./lib/documents/reserve-stock.graphql');
const variables = { input: { orderId: ORDER_ID, lines: lines() } };

export default graphqlOperation({ query, variables }, `"orderId":"${ORDER_ID}"`);

export const handleSummary = summarize('a-graphql');
