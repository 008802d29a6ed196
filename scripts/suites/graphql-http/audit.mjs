// Runs the graphql-http audit (the GraphQL-over-HTTP specification's test suite) against one
// endpoint, prints each verdict, and exits 1 unless every MUST and SHOULD passes.
//
//   node audit.mjs http://127.0.0.1:5300/graphql
import { serverAudits } from 'graphql-http';

const ANSWER_WITHIN_MS = 10_000;

const [url, ...rest] = process.argv.slice(2);
if (!url || rest.length > 0 || !URL.canParse(url)) {
  console.error(`usage: node audit.mjs URL  (got ${JSON.stringify(process.argv.slice(2))}; ` +
    'give the one endpoint to audit, for example http://127.0.0.1:5300/graphql)');
  process.exit(2);
}

const fetchWithin = (target, options) =>
  fetch(target, { ...options, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });

let passed = 0;
let failed = 0;
let optional = 0;
for (const audit of serverAudits({ url, fetchFn: fetchWithin })) {
  let result;
  try {
    result = await audit.fn();
  } catch (error) {
    const cause = error.cause?.message ?? error.message;
    result = { status: 'error', reason: `no answer from ${url}: ${cause}` };
  }
  if (result.status === 'ok') {
    passed += 1;
    console.log(`ok    ${audit.id} ${audit.name}`);
  } else if (audit.name.startsWith('MAY ')) {
    optional += 1;
    console.log(`note  ${audit.id} ${audit.name}: ${result.reason}`);
  } else {
    failed += 1;
    console.log(`FAIL  ${audit.id} ${audit.name}: ${result.reason}`);
  }
}
if (optional > 0) console.log(`${optional} optional (MAY) not met`);
console.log(`${passed} passed, ${failed} failed`);
// An audit of nothing proves nothing.
process.exit(failed > 0 || passed === 0 ? 1 : 0);
