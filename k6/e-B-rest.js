// Scenario e.B in REST: the newest unresolved expenses whole, of which the prices are needed.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { headers, hasSome, inEnvelope, list, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const expenses = inEnvelope(http.get(list('&resolved=false'), headers(data)));
  checkOperation(() => hasSome(expenses) && expenses.every((/** @type {any} */ one) => !one.resolved));
});

export const handleSummary = summarize('e-B-rest');
