import http from 'k6/http';
export const options = {
  thresholds: {
    'http_reqs{tls_version:tls1.3}': ['count==1'],
    'http_reqs{tls_version:tls1.2}': ['count==0'],
    'http_reqs{error_code:1310}': ['count==1'],
    'http_reqs{proto:HTTP/1.1}': ['count==2'],
  },
};
export default function () {
  http.get(`${__ENV.HTTPS_URL}/status/200`);
  http.get(`${__ENV.BASE_URL}/status/200`);
  http.get(`${__ENV.UNKNOWN_URL}/status/200`);
}
