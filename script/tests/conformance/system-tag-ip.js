import http from 'k6/http';
export const options = {
  systemTags: ['ip', 'status'],
  thresholds: {
    'http_reqs{ip:127.0.0.1}': ['count==2'],
    'http_reqs{ip:127.0.0.1,status:404}': ['count==1'],
    'http_req_failed{ip:127.0.0.1}': ['rate==0.5'],
    'http_reqs{status:0}': ['count==1'],
    'iterations{ip:127.0.0.1}': ['count==0'],
  },
};
export default function () {
  http.get(`${__ENV.BASE_URL}/status/200`);
  http.get(`${__ENV.BASE_URL}/status/404`);
  http.get('http://127.0.0.1:1/refused');
}
