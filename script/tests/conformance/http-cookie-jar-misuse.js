import http from 'k6/http';
export default function () {
  const jar = http.cookieJar(), url = __ENV.BASE_URL;
  for (const wrong of [
    () => jar.set('nowhere', 'a', 'b'), () => jar.set(url, 'a b', 'c'), () => jar.set(url, '', 'c'),
    () => jar.set(url, 'a', 'b', { expires: 'soon' }), () => jar.set(url, 'a', 'b', { max_age: 'long' }), () => jar.set(url, 'a', 'b', 7),
    () => jar.cookiesForURL('ftp://x'), () => jar.clear(), () => jar.set(url), () => jar.delete('x', 'a'),
    () => http.get(url, { jar: {} }), () => http.get(url, { cookies: { 'a;b': 1 } }),
  ]) {
    try { wrong(); console.log('accepted'); } catch (error) { console.log(`refused: ${error.message}`); }
  }
}
