// Scenario e.A in REST with the payee in every expense: one request, which the thesis' server does not know.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { areWhole, headers, inEnvelope, list, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const expenses = inEnvelope(http.get(list('&expand=payee'), headers(data)));
  checkOperation(() => areWhole(expenses));
});

export const handleSummary = summarize('e-A-rest-expand');
