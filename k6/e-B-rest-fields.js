// Scenario e.B in REST with a sparse fieldset: the prices alone.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { arePrices, headers, inEnvelope, list, setupOf } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const expenses = inEnvelope(http.get(list('&resolved=false&fields=price'), headers(data)));
  checkOperation(() => arePrices(expenses));
});

export const handleSummary = summarize('e-B-rest-fields');
