import http from 'k6/http';
const url = __ENV.HTTPS2_URL;
export default function () {
  const first = http.get(`${url}/connection`);
  console.log('protocol', first.proto, first.status_text, first.tls_version, first.json('version'));
  console.log('handshake', first.timings.tls_handshaking > 0, first.timings.connecting > 0);
  const second = http.get(`${url}/connection`);
  console.log('kept', first.json('number') === second.json('number'), second.json('request'), second.timings.tls_handshaking);
  console.log('sent', http.post(`${url}/length`, 'x'.repeat(3000000)).body);
  console.log('received', http.get(`${url}/bytes/3000000`, { responseType: 'binary' }).body.byteLength);
  const echo = http.post(`${url}/echo`, { a: 'b' }, { headers: { 'X-Own': '1', Connection: 'keep-alive', Te: 'gzip' } });
  console.log('echo', echo.json('method'), echo.json('url') === `${url}/echo`, echo.json('body'), echo.headers['Content-Type']);
  console.log('names', echo.json('headers').map((h) => h[0]).join());
  http.get(`${url}/set-cookie`);
  console.log('cookie', http.get(`${url}/echo`).json('headers').some((h) => h[0] === 'cookie' && h[1] === 'id=7'));
  const { status, url: there, body } = http.get(`${url}/redirect/1`);
  console.log('redirected', status, there === `${url}/redirect/0`, body);
  console.log('head', http.head(`${url}/status/404`).status, http.get(`${url}/status/204`).body);
}
