// Scenario a in gRPC: InventoryService/ReserveStock over HTTP/2.

import grpc from 'k6/net/grpc';

import { checkOperation } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { GRPC_ADDR, GRPC_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpc.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const method = 'bookstore.bench.v1.InventoryService/ReserveStock';
const request = { order_id: ORDER_ID, lines: lines() };

export default operation(() => {
  if (__ITER === 0) {
    client.connect(GRPC_ADDR, GRPC_PARAMS);
  }
  const response = client.invoke(method, request);
  checkOperation(
    () =>
      response.status === grpc.StatusOK &&
      /** @type {{ orderId?: string }} */ (response.message).orderId === ORDER_ID,
  );
});

export const handleSummary = summarize('a-grpc');
