// So is JavaScript that never waits.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '0s' } } };
export default function () { for (;;) { try { for (;;) {} } catch (error) {} } }
