import http from 'k6/http';
export const options = { thresholds: { 'http_reqs{ip:127.0.0.1}': ['count==0'], http_reqs: ['count==1'] } };
export default function () { http.get(`${__ENV.BASE_URL}/status/200`); }
