// Scenario b.calls in REST: the screens of CALLS books, one request after the other.

import http from 'k6/http';

import { callInTurn } from './lib/calls.js';
import { answered, checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const screens = `${BASE_URL}/api/screens/book-detail`;

export default operation(() => {
  const passed = callInTurn((book) => {
    const response = http.get(`${screens}/${book}`);
    return answered(response, 200, '"reviews":[{') ? Number(response.json('id')) : 0;
  });
  checkOperation(() => passed);
});

export const handleSummary = summarize('b-calls-rest');
