// What `vus: __ENV.VUS` gives is a string.
export const options = { scenarios: { s: { executor: 'shared-iterations', vus: '2', iterations: '5' } }, batch: '', maxRedirects: '3' };
export default function () {}
