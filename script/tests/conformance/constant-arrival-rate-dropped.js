// One user that is busy for longer than the pause between iterations.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', duration: '1s', preAllocatedVUs: 1 } } };
export default function () { sleep(0.25); }
