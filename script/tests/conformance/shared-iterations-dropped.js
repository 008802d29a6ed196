// What nobody came to before maxDuration is dropped.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'shared-iterations', vus: 1, iterations: 5, maxDuration: '1s' } } };
export default function () { sleep(0.7); }
