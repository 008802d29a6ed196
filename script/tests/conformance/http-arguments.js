import http from 'k6/http';
export default function () {
  const r = http.post(`${__ENV.BASE_URL}/echo`, { a: null, b: undefined, c: 'x' }, { headers: { 'X-A': '1' } });
  console.log('form', r.request.body, JSON.stringify(r.request.headers['X-A']));
  const calls = [() => http.get(), () => http.request('GET'), () => http.request(), () => http.batch(), () => http.batch([['GET']]), () => http.expectedStatuses(200.5)];
  for (const call of calls) {
    try { call(); } catch (error) { console.log('refused:', error.message); }
  }
}
export const options = { thresholds: { http_reqs: ['count==1'] } };
