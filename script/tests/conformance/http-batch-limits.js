// Six at once to one host and not seven.
import http from 'k6/http';
export default function () {
  const ask = (n, path) => http.batch(Array.from({ length: n }, () => `${__ENV.BASE_URL}/${path}`));
  console.log('met', ask(6, 'meet/6').every((r) => r.body === 'met'));
  console.log('most', Math.max(...ask(13, 'peak').map((r) => Number(r.body))));
}
