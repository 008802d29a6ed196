import http from 'k6/http';
export const options = {
  tlsAuth: [{ domains: ['*.example.com'], cert: open(`${__ENV.TLS_FILES}/client.pem`), key: open(`${__ENV.TLS_FILES}/client-key.pem`) }],
};
export default function () {
  const r = http.get(`${__ENV.MUTUAL_URL}/connection`);
  console.log('not shown', r.status, r.error_code, r.error);
}
