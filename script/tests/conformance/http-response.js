import http from 'k6/http';
export default function () {
  const r = http.get(`${__ENV.BASE_URL}/json`);
  console.log(r.status, r.status_text, r.proto, r.error === '', r.error_code, r.remote_ip, r.url === `${__ENV.BASE_URL}/json`);
  console.log(r.json('a.b.1.c'), r.json('a.b.#'), r.json('text'), r.json('nothing'), r.json('none'), r.json().a.b.length);
  const t = r.timings; console.log(Object.keys(t).sort().join(), t.duration > 0 && Math.abs(t.duration - t.sending - t.waiting - t.receiving) < 1e-6);
  console.log(http.get(`${__ENV.BASE_URL}/bytes/3`, { responseType: 'binary' }).body.byteLength, http.get(`${__ENV.BASE_URL}/bytes/3`, { responseType: 'none' }).body);
  try { http.get(`${__ENV.BASE_URL}/status/200`).json(); } catch (error) { console.log(error.name); }
  console.log(http.get(`${__ENV.BASE_URL}/status/204`).body);
  const bytes = http.get(`${__ENV.BASE_URL}/bytes/3`, { responseType: 'binary' });
  console.log(bytes.body === bytes.body, Object.keys(bytes).join(), 'headers' in bytes, JSON.parse(JSON.stringify(r)).body === r.body);
}
