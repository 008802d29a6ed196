// Scenario b in gRPC-Web: CatalogService/GetBookDetail over HTTP/1.1, by the extension k6/x/grpcweb
// (scripts/build-k6.sh). For stock k6 there is b-grpcweb-http.js.

import grpcweb from 'k6/x/grpcweb';

import { checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPCWEB_ADDR, GRPCWEB_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpcweb.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.CatalogService/GetBookDetail';
const request = { book_id: 1, review_count: 2 };

export default operation(() => {
  if (__ITER === 0) {
    client.connect(GRPCWEB_ADDR, GRPCWEB_PARAMS);
  }
  const response = client.invoke(method, request);
  checkOperation(
    () => response.status === grpcweb.StatusOK && response.message.reviews.length === 2,
  );
});

export const handleSummary = summarize('b-grpcweb');
