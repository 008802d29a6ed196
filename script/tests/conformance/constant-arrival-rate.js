export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 20, timeUnit: '1s', duration: '1s', preAllocatedVUs: 20 } } };
export default function () {}
