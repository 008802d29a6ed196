import http from 'k6/http';
import { check } from 'k6';
export const options = { vus: 20, iterations: 60, thresholds: { checks: ['rate==1'], http_req_failed: ['rate==0'] } };
const large = 'x'.repeat(100000);
export default function () {
  const [first, second] = [__ENV.HTTPS_URL, __ENV.HTTPS2_URL];
  const answers = http.batch([`${first}/bytes/70000`, `${second}/bytes/70000`, `${second}/bytes/7`, `${second}/bytes/1`, `${first}/bytes/1`]);
  check(answers, {
    lengths: (list) => list.map((r) => r.body.length).join() === '70000,70000,7,1,1',
    protocols: (list) => list.map((r) => r.proto).join() === 'HTTP/1.1,HTTP/2.0,HTTP/2.0,HTTP/2.0,HTTP/1.1',
  });
  check(http.post(`${__VU % 2 ? first : second}/length`, large), { sent: (r) => r.body === '100000' });
}
