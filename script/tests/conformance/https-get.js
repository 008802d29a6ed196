import http from 'k6/http';
export default function () {
  const first = http.get(`${__ENV.HTTPS_URL}/connection`);
  const second = http.get(`${__ENV.HTTPS_URL}/connection`);
  console.log('protocol', first.proto, first.tls_version === http.TLS_1_3, first.tls_cipher_suite);
  console.log('handshake', first.timings.tls_handshaking > 0, second.timings.tls_handshaking);
  console.log('blocked', first.timings.blocked >= first.timings.connecting + first.timings.tls_handshaking);
  console.log('kept', first.json('number') === second.json('number'), second.json('request'));
  console.log('echo', http.post(`${__ENV.HTTPS_URL}/length`, 'x'.repeat(300000)).body);
  const { status, url, body } = http.get(`${__ENV.HTTPS_URL}/redirect/1`);
  console.log('redirected', status, url === `${__ENV.HTTPS_URL}/redirect/0`, body);
}
