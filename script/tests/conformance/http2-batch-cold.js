import http from 'k6/http';
export default function () {
  const url = `${__ENV.HTTPS2_URL}/connection`;
  const cold = http.batch([url, url, url, url, url]);
  console.log('cold', cold.map((r) => r.status).join());
  const warm = http.batch([url, url, url, url, url]);
  console.log('warm', new Set(warm.map((r) => r.json('number'))).size);
}
