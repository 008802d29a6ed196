import http from 'k6/http';
export default function () {
  const hangs = http.get(`${__ENV.HANGING_URL}/status/200`, { timeout: 300 });
  console.log('hangs', hangs.status, hangs.error_code, hangs.error);
  const breaks = http.get(`${__ENV.BREAKING_URL}/status/200`);
  console.log('breaks', breaks.status, breaks.error_code > 0, breaks.error !== '');
}
