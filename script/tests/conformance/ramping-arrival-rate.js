export const options = { scenarios: { a: { executor: 'ramping-arrival-rate', startRate: 0, timeUnit: '1s', stages: [{ duration: '1s', target: 20 }, { duration: '500ms', target: 20 }], preAllocatedVUs: 20 } } };
export default function () {}
