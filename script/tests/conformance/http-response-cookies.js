import http from 'k6/http';
export default function () {
  const r = http.post(`${__ENV.BASE_URL}/sets`, [
    'all="x y"; Domain=.Example.org; Path=/p; HttpOnly; Secure; Max-Age=60; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'bare=', 'twice=1', 'twice=2', 'gone=; Max-Age=0', '__proto__=p', 'no cookie',
  ].join('\n'));
  for (const name of Object.keys(r.cookies).sort()) console.log(name, JSON.stringify(r.cookies[name]));
  console.log('kept', JSON.stringify(http.cookieJar().cookiesForURL(__ENV.BASE_URL)));
}
