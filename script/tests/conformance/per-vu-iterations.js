// Each user counts its own iterations from 0.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };
export default function () { console.log(`vu=${__VU} iter=${__ITER}`); }
