import http from 'k6/http';
const bytes = new Uint8Array([104, 105]).buffer;
export default function () {
  const url = `${__ENV.BASE_URL}/echo`;
  const file = http.file(bytes, 'a "b".bin', 'image/png');
  console.log('file', file.filename, file.content_type, file.data.byteLength);
  const plain = http.file('text');
  console.log('plain', /^\d{18,}$/.test(plain.filename), plain.content_type);
  const echo = http.post(url, { field: 'value ä', many: [1, 2], upload: file });
  const type = echo.json('headers').find((h) => h[0] === 'content-type')[1];
  const boundary = type.replace('multipart/form-data; boundary=', '');
  const parts = echo.json('body').split(`--${boundary}`);
  console.log('parts', parts.length, JSON.stringify(parts[1]), JSON.stringify(parts[4]), JSON.stringify(parts[5]));
  const several = http.post(url, { f: [http.file('1', 'one'), http.file('2', 'two')] }).json('body');
  console.log('several', several.includes('filename="one"'), several.includes('filename="two"'));
  console.log('own type', http.post(url, { f: plain }, { headers: { 'Content-Type': 'x/y' } }).json('headers').find((h) => h[0] === 'content-type')[1]);
  try { http.file(5); } catch (error) { console.log('refused', error.message); }
}
