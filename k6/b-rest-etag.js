// Scenario b in REST with revalidation: an answer that is kept is asked for again with its ETag, and a 304
// brings no body. The server must send ETags (`--cache-max-age 0`).

import { showScreen } from './lib/screen-resources.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

export default operation(() => {
  showScreen();
});

export const handleSummary = summarize('b-rest-etag');
