import http from 'k6/http';
export const options = { systemTags: ['status'], thresholds: { 'http_reqs{status:200}': ['count==1'], 'http_reqs{method:GET}': ['count==0'], 'iterations{scenario:default}': ['count==0'] } };
export default function () { http.get(`${__ENV.BASE_URL}/status/200`); }
