// Scenario b in REST with an endpoint made for the screen: the article's second exercise.

import http from 'k6/http';

import { answered, checkOfAnswer } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const url = `${BASE_URL}/api/screens/book-detail/1`;
const checkAnswer = checkOfAnswer((/** @type {http.Response} */ response) => answered(response, 200, '"reviews":[{'));

export default operation(() => {
  checkAnswer(http.get(url));
});

export const handleSummary = summarize('b-rest-bff');
