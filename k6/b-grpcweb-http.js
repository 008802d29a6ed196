// Scenario b in gRPC-Web, framed by hand over k6/http as the article does: for stock k6 and for
// Grafana Cloud k6, which have no gRPC-Web.

import http from 'k6/http';

import { checkOfAnswer } from './lib/checks.js';
import { frame, intField, isOk, PARAMS } from './lib/grpcweb-frame.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/bookstore.bench.v1.CatalogService/GetBookDetail`;

// book_id = 1, review_count = 2
const body = frame([...intField(1, 1), ...intField(2, 2)]);

const checkAnswer = checkOfAnswer(isOk);

export default operation(() => {
  checkAnswer(http.post(url, body, PARAMS));
});

export const handleSummary = summarize('b-grpcweb-http');
