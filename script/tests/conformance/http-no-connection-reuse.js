import http from 'k6/http';
export const options = { iterations: 3, noConnectionReuse: true };
export default function () { const r = http.get(`${__ENV.BASE_URL}/status/200`); console.log(`new ${r.timings.connecting > 0}`); }
