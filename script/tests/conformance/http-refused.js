// Nobody listens on port 1: no exception but status 0, an error code and a warning.
import http from 'k6/http';
export default function () {
  const r = http.get('http://127.0.0.1:1/x');
  console.log(r.status, r.error_code, r.error.length > 0, r.body);
  try { http.get('http://127.0.0.1:1/x', { throw: true }); } catch (error) { console.log('thrown'); }
  console.log(http.get('nonsense').error_code);
}
