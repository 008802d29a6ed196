import http from 'k6/http';
export const options = {
  tlsVersion: { min: http.TLS_1_0, max: http.TLS_1_2 },
  tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
};
export default function () {
  const r = http.get(`${__ENV.HTTPS_URL}/status/200`);
  console.log('agreed', r.status, r.tls_version, r.tls_cipher_suite);
}
