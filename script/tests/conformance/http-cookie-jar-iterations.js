// A jar that the script keeps is its own after the iteration; with noCookiesReset it stays the user's.
import http from 'k6/http';
export const options = { iterations: 2 };
const made = new http.CookieJar();
let held;
export default function () {
  const url = __ENV.BASE_URL, jar = http.cookieJar(), has = (jar) => Object.keys(jar.cookiesForURL(url)).join();
  console.log(`iteration ${__ITER}: "${has(jar)}" "${held && has(held)}" "${has(made)}"`);
  jar.set(url, 'a', '1'); made.set(url, 'b', '1'); held = held || jar;
  console.log(`same ${__ITER}: "${has(http.cookieJar())}"`);
}
