// Scenario a in gRPC-Web, framed by hand over k6/http.

import http from 'k6/http';

import { checkOfAnswer } from './lib/checks.js';
import { ascii, bytesField, frame, intField, isOk, PARAMS } from './lib/grpcweb-frame.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/bookstore.bench.v1.InventoryService/ReserveStock`;

// order_id = 1; lines = 2 { isbn = 1; quantity = 2 }
const body = frame([
  ...bytesField(1, ascii(ORDER_ID)),
  ...lines().flatMap(({ isbn, quantity }) =>
    bytesField(2, [...bytesField(1, ascii(isbn)), ...intField(2, quantity)]),
  ),
]);

const checkAnswer = checkOfAnswer(isOk);

export default operation(() => {
  checkAnswer(http.post(url, body, PARAMS));
});

export const handleSummary = summarize('a-grpcweb-http');
