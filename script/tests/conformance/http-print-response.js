import http from 'k6/http';
export default function () { const r = http.get(`${__ENV.BASE_URL}/status/200`); console.log(r); console.log(JSON.parse(JSON.stringify(r)).body); }
