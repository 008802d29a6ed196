// Users are spread over the workers; numbers and sums do not change.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 5, iterations: 2 } } };
export default function () { console.log(`vu ${__VU}`); }
