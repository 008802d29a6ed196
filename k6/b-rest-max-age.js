// Scenario b in REST with a cache: what is kept is not asked for while its `max-age` lasts, so most
// operations send nothing (`--cache-max-age 60`). Best driven at a rate (`RATE`).

import { showScreen } from './lib/screen-resources.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

export default operation(() => {
  showScreen();
});

export const handleSummary = summarize('b-rest-max-age');
