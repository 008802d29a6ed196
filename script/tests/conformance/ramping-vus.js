import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'ramping-vus', startVUs: 0, stages: [{ duration: '2s', target: 4 }, { duration: '500ms', target: 0 }], gracefulRampDown: '0s', gracefulStop: '0s' } } };
export default function () { sleep(0.1); console.log(`vu ${__VU}`); }
