import http from 'k6/http';
export default function () { const r = http.get(`${__ENV.BASE_URL}/delay/20000`, { timeout: 200 }); console.log(r.status, r.error_code, r.timings.duration > 150); console.log(http.get(`${__ENV.BASE_URL}/delay/20000`, { timeout: '100ms' }).error); }
