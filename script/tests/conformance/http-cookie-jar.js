// What the user has, what was set by hand, and a jar of the script's own.
import http, { cookieJar, CookieJar } from 'k6/http';
const base = __ENV.BASE_URL;
const sent = (r) => r.json('headers').filter((h) => h[0] === 'cookie').map((h) => h[1]).join();
export default function () {
  const url = `${base}/echo`, jar = cookieJar();
  console.log('empty', JSON.stringify(jar.cookiesForURL(url)), `"${sent(http.get(url))}"`);
  http.post(`${base}/sets`, 'one=1; Path=/\ntwo="2 b"; Path=/\ntwo=3; Path=/echo; Max-Age=60\nended=1; Path=/; Max-Age=0\ntls=1; Secure');
  console.log('server', JSON.stringify(jar.cookiesForURL(url)), sent(http.get(url)));
  jar.set(url, 'mine', 'a, b');
  jar.set(url, 'deep', 'x', { path: '/echo/deep', max_age: 600, expires: 'Wed, 21 Oct 2015 07:28:00 GMT', http_only: true });
  jar.set(url, 'old', 'x', { expires: 'Wed, 21 Oct 2015 07:28:00 GMT' });
  jar.set(url, 'tls', 'x', { secure: true, domain: '127.0.0.1' });
  jar.set(url, 'none', null);
  console.log('set', sent(http.get(url)), '|', sent(http.get(`${url}/deep/er`)), '|', JSON.stringify(jar.cookiesForURL('https://127.0.0.1/')));
  console.log('foreign', jar.set(url, 'foreign', 'x', { domain: 'example.org' }));
  jar.delete(url, 'one'); jar.delete(url, 'unknown');
  console.log('deleted', sent(http.get(url)));
  const own = new CookieJar(), other = new http.CookieJar();
  own.set(url, 'own', '1');
  const r = http.get(url, { jar: own, cookies: { own: { value: '2', replace: true }, more: 'm' } });
  console.log('own', sent(http.get(url, { jar: own })), '|', sent(r), '|', JSON.stringify(r.request.cookies), '|', `"${sent(http.get(url, { jar: other }))}"`);
  http.post(`${base}/sets`, 'new=1; Path=/', { jar: other });
  console.log('kept', sent(http.get(url, { jar: other })), '|', sent(http.get(url)));
  jar.clear(url);
  console.log('cleared', `"${sent(http.get(url))}"`, sent(http.get(`${url}/deep`)));
}
