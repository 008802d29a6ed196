import http from 'k6/http';
export const options = { thresholds: { 'http_reqs{name:one}': ['count==1'], 'http_reqs{url:one}': ['count==1'], 'http_reqs{name:http://${}/status/${}}': ['count==2'] } };
export default function () {
  http.get(`${__ENV.BASE_URL}/status/200`, { tags: { name: 'one' } });
  const base = __ENV.BASE_URL;
  for (const n of [200, 201]) console.log(http.get(http.url`http://${base.slice(7)}/status/${n}`).status);
}
