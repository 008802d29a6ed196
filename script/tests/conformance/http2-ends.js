import http from 'k6/http';
const get = (path) => {
  const r = http.get(`${__ENV.ODD_URL}${path}`);
  console.log(path, r.status, r.error_code, r.body, r.error);
};
export default function () {
  get('/reset');
  get('/first-of-reused');
  get('/refused-when-reused');
  get('/between');
  get('/dies-when-reused');
  get('/last');
  get('/after-last');
  get('/calm');
  get('/after-calm');
}
export function teardown() {
  get('/dies');
  get('/after-dying');
}
