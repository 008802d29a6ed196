// Nor do promises without end hold up the end.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '0s' } } };
export default function () { const next = () => Promise.resolve().then(next); return next(); }
