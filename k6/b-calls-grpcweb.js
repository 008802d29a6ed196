// Scenario b.calls in gRPC-Web, framed by hand: the screens of CALLS books, one call after the other.

import http from 'k6/http';

import { callInTurn } from './lib/calls.js';
import { checkOperation } from './lib/checks.js';
import { firstInt, frame, intField, isOk, PARAMS } from './lib/grpcweb-frame.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/bookstore.bench.v1.CatalogService/GetBookDetail`;

export default operation(() => {
  const passed = callInTurn((book) => {
    // book_id, review_count = 2; the answer's first field is the id of its book.
    const response = http.post(url, frame([...intField(1, book), ...intField(2, 2)]), PARAMS);
    return isOk(response) ? firstInt(response) : 0;
  });
  checkOperation(() => passed);
});

export const handleSummary = summarize('b-calls-grpcweb');
