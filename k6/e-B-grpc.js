// Scenario e.B in gRPC: the prices alone, by a field mask. Not in the thesis; for symmetry.

import grpc from 'k6/net/grpc';

import { checkOperation } from './lib/checks.js';
import { LIMIT, hasSome, metadata, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPC_ADDR, GRPC_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('grpc');

const client = new grpc.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.ExpensesService/ListExpenses';
const request = { limit: LIMIT, resolved: false, field_mask: 'priceCents' };

export default operation((data) => {
  if (__ITER === 0) {
    client.connect(GRPC_ADDR, GRPC_PARAMS);
  }
  const response = client.invoke(method, request, metadata(data));
  checkOperation(() => response.status === grpc.StatusOK && hasSome(/** @type {any} */ (response.message).expenses));
});

export const handleSummary = summarize('e-B-grpc');
