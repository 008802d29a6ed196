// Kept for the iteration and sent where they belong; the script may add and replace some.
import http from 'k6/http';
export const options = { iterations: 2 };
const sent = (r) => r.json('headers').filter((h) => h[0] === 'cookie').map((h) => h[1]).join();
export default function () {
  const url = `${__ENV.BASE_URL}/echo`;
  console.log(`before "${sent(http.get(url))}"`);
  const set = http.get(`${__ENV.BASE_URL}/set-cookie`);
  console.log(set.cookies.id[0].value, set.cookies.id[0].http_only, set.cookies.other[0].path);
  console.log(`after "${sent(http.get(url))}" "${sent(http.get(url, { cookies: { a: 1, id: { value: '8', replace: true } } }))}"`);
}
