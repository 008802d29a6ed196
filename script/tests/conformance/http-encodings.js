import http from 'k6/http';
export default function () {
  for (const name of ['br', 'zstd', 'custom', 'damaged']) {
    const r = http.get(`${__ENV.BASE_URL}/encoded/${name}`);
    console.log(name, r.status, `"${r.body}"`, r.error_code, r.headers['Content-Encoding']);
  }
}
