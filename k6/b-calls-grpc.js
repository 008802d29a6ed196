// Scenario b.calls in gRPC: the screens of CALLS books, one call after the other.

import grpc from 'k6/net/grpc';

import { callInTurn } from './lib/calls.js';
import { checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPC_ADDR, GRPC_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpc.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.CatalogService/GetBookDetail';

export default operation(() => {
  if (__ITER === 0) {
    client.connect(GRPC_ADDR, GRPC_PARAMS);
  }
  const passed = callInTurn((book) => {
    const response = client.invoke(method, { book_id: book, review_count: 2 });
    if (response.status !== grpc.StatusOK) return 0;
    const screen = /** @type {{ id: number, reviews?: unknown[] }} */ (response.message);
    return screen.reviews?.length === 2 ? screen.id : 0;
  });
  checkOperation(() => passed);
});

export const handleSummary = summarize('b-calls-grpc');
