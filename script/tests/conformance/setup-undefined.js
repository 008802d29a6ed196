export function setup() {}
export default function (data) { console.log(typeof data); }
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
