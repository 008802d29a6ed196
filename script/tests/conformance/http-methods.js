import http from 'k6/http';
const url = `${__ENV.BASE_URL}/echo?q=1`;
export default function () {
  const sent = [http.get(url), http.post(url, 'b'), http.put(url, 'b'), http.patch(url, 'b'), http.del(url, 'b'), http.options(url, 'b'), http.request('PROPFIND', url, 'b')];
  console.log(sent.map((r) => `${r.json('method')}:${r.json('body')}`).join(' '));
  const head = http.head(url); console.log(head.status, head.body === '' || head.body === null);
}
