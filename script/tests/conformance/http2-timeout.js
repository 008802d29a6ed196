import http from 'k6/http';
export default function () {
  const url = __ENV.HTTPS2_URL;
  const first = http.get(`${url}/connection`).json('number');
  const late = http.get(`${url}/late`, { timeout: '300ms' });
  console.log('late', late.status, late.error_code);
  console.log('goes on', http.get(`${url}/connection`).json('number') === first);
}
