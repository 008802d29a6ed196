// Scenario e.single in REST: all users, the second request of e.A.

import http from 'k6/http';

import { checkOperation } from './lib/checks.js';
import { headers, inEnvelope, setupOf, users } from './lib/expenses.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { teardown } from './lib/server-cpu.js';

export const setup = setupOf('rest');

export default operation((data) => {
  const everyone = inEnvelope(http.get(users, headers(data)));
  checkOperation(() => Array.isArray(everyone) && everyone.length > 0);
});

export const handleSummary = summarize('e-users-rest');
