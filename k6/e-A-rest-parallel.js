// Scenario e.A in REST: the newest expenses and all users at the same time, put together by the client.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { areWhole, headers, inEnvelope, list, setupOf, users } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { withPayees } from './lib/payees.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const [expenses, everyone] = http.batch([
    ['GET', list(), null, headers(data)],
    ['GET', users, null, headers(data)],
  ]);
  const merged = withPayees(inEnvelope(expenses), inEnvelope(everyone));
  checkOperation(() => areWhole(merged));
});

export const handleSummary = summarize('e-A-rest-parallel');
