// Not before delayAbortEval is over.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '3s' } }, thresholds: { iterations: [{ threshold: 'count>1000', abortOnFail: true, delayAbortEval: '10s' }] } };
export default function () { sleep(0.9); }
