import http from 'k6/http';
export default function () {
  const url = `${__ENV.BASE_URL}/echo`;
  const list = http.batch([url, ['POST', url, 'one', { headers: { 'X-Y': 'z' } }], { method: 'PUT', url, body: 'two', params: { tags: { name: 'put' } } }]);
  console.log(Array.isArray(list), list.map((r) => r.json('method') + r.json('body')).join());
  const named = http.batch({ a: url, b: { url } }); console.log(Object.keys(named).join(), named.b.status);
  try { http.batch(5); } catch (error) { console.log('refused'); }
}
