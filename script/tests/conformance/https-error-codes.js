import http from 'k6/http';
export const options = { tlsVersion: 'tls1.2' };
export default function () {
  for (const name of ['TOO_EARLY', 'NEWER', 'STRANGE', 'RESETTING', 'BREAKING']) {
    const r = http.get(`${__ENV[`${name}_URL`]}/status/200`);
    console.log(name, r.status, r.error_code, r.error);
  }
}
