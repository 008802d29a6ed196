// Scenario a in gRPC-Web: InventoryService/ReserveStock over HTTP/1.1, by the extension k6/x/grpcweb
// (scripts/build-k6.sh). For stock k6 there is a-grpcweb-http.js.

import grpcweb from 'k6/x/grpcweb';

import { checkOperation } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPCWEB_ADDR, GRPCWEB_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpcweb.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.InventoryService/ReserveStock';
const request = { order_id: ORDER_ID, lines: lines() };

export default operation(() => {
  if (__ITER === 0) {
    client.connect(GRPCWEB_ADDR, GRPCWEB_PARAMS);
  }
  const response = client.invoke(method, request);
  checkOperation(
    () => response.status === grpcweb.StatusOK && response.message.orderId === ORDER_ID,
  );
});

export const handleSummary = summarize('a-grpcweb');
