// Scenario a in REST: POST /api/reservations.

import http from 'k6/http';

import { answered, checkOfAnswer } from './lib/checks.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/api/reservations`;
const body = JSON.stringify({ orderId: ORDER_ID, lines: lines() });
const expected = `"orderId":"${ORDER_ID}"`;
const params = { headers: { 'Content-Type': 'application/json' } };
const checkAnswer = checkOfAnswer((/** @type {http.Response} */ response) => answered(response, 201, expected));

export default operation(() => {
  checkAnswer(http.post(url, body, params));
});

export const handleSummary = summarize('a-rest');
