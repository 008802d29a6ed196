// Each user has a copy of what setup returned, and keeps its changes to itself.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };
export function setup() { return { list: [1], text: 'ä', gone: undefined }; }
export default function (data) { data.list.push(__VU); console.log(`vu${__VU}: ${data.list.length}`); }
export function teardown(data) { console.log('teardown', data); }
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
