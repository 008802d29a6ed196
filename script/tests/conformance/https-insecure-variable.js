import http from 'k6/http';
export default function () {
  for (const name of ['UNKNOWN', 'SELF_SIGNED', 'OTHER_NAME', 'EXPIRED']) {
    const r = http.get(`${__ENV[`${name}_URL`]}/status/200`);
    console.log(name, r.status, r.error_code, r.tls_version);
  }
}
