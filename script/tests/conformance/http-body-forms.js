import http from 'k6/http';
export default function () {
  const url = `${__ENV.BASE_URL}/echo`;
  const form = http.post(url, { b: 'x y', a: 1, c: ['p', 'q'] });
  console.log(form.json('body'), form.json('headers').filter((h) => h[0] === 'content-type')[0][1]);
  console.log(http.post(url, new Uint8Array([104, 105]).buffer).json('body'), http.post(url, new Uint8Array([0, 104, 105]).subarray(1)).json('body'), http.post(url, null).json('headers').some((h) => h[0] === 'content-length' && h[1] === '0'));
  try { http.post(url, 5); } catch (error) { console.log('refused', error.message); }
}
