// Users are added up to maxVUs when iterations are dropped.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 10, timeUnit: '1s', duration: '2s', preAllocatedVUs: 1, maxVUs: 8 } } };
export default function () { sleep(0.45); console.log(`vu ${__VU}`); }
