import http from 'k6/http';
const url = `${__ENV.BASE_URL}/decoded`, text = 'hello '.repeat(50);
const show = (r) => (r.status === 200 ? `${r.json('encoding')} ${r.json('is_all')} ${r.json('is_smaller')} ${r.json('body') === text} ${r.request.body === text}` : `${r.status} ${r.body}`);
export default function () {
  for (const compression of ['gzip', 'deflate', 'zstd', ' gzip, DEFLATE,zstd']) console.log(`${compression}: ${show(http.post(url, text, { compression }))}`);
  const sent = http.post(url, { a: 'b'.repeat(99) }, { compression: 'gzip', headers: { 'X-Own': '1' } });
  console.log('form', sent.json('body').length, Object.keys(sent.request.headers).filter((name) => /^(Content|X)-[ETO]/.test(name)).join());
  console.log('bytes', http.post(url, new Uint8Array(50).buffer, { compression: 'gzip' }).json('body').length);
  console.log('own header', http.post(url, text, { compression: 'gzip', headers: { 'Content-Encoding': 'x' } }).body, show(http.post(url, text, { compression: 'gzip', headers: { 'content-encoding': 'gzip' } })));
  console.log('nothing', http.get(`${__ENV.BASE_URL}/echo`, { compression: 'gzip' }).json('headers').map((h) => h[0]).includes('content-encoding'), http.post(`${__ENV.BASE_URL}/decoded`, text, { compression: '' }).json('encoding') === '');
  for (const compression of ['br', 'gzip, george', 'gzip,', 7]) {
    try { http.post(url, text, { compression }); console.log('accepted'); } catch (error) { console.log(`refused: ${error.message}`); }
  }
}
