// Scenario e.single in REST: the newest expenses alone, the first request of e.A.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { LIMIT, headers, inEnvelope, list, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const expenses = inEnvelope(http.get(list(), headers(data)));
  checkOperation(() => Array.isArray(expenses) && expenses.length === LIMIT);
});

export const handleSummary = summarize('e-expenses-rest');
