// Scenario b in gRPC: CatalogService/GetBookDetail over HTTP/2. Not in the article; for symmetry.

import grpc from 'k6/net/grpc';

import { checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPC_ADDR, GRPC_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpc.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.CatalogService/GetBookDetail';
const request = { book_id: 1, review_count: 2 };

export default operation(() => {
  if (__ITER === 0) {
    client.connect(GRPC_ADDR, GRPC_PARAMS);
  }
  const response = client.invoke(method, request);
  checkOperation(
    () =>
      response.status === grpc.StatusOK &&
      /** @type {{ reviews?: unknown[] }} */ (response.message).reviews?.length === 2,
  );
});

export const handleSummary = summarize('b-grpc');
