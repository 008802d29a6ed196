import http from 'k6/http';
export default function () {
  const r = http.post(`${__ENV.BASE_URL}/echo`, JSON.stringify({ a: 1 }), { headers: { 'X-B': '2', 'Content-Type': 'application/json', 'X-A': '1' } });
  console.log(r.json('headers').map((h) => h[0]).join());
  console.log(r.headers['Content-Type'], r.request.headers['X-A'][0], r.request.body, r.request.method);
  console.log(http.get(`${__ENV.BASE_URL}/echo`, { headers: { Host: 'other.test', 'User-Agent': 'mine' } }).json('headers').map((h) => h.join('=')).join());
}
