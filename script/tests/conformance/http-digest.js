// A request without an answer to nothing, and one with the proof: both count, and the first is expected to be refused.
import http from 'k6/http';
const base = __ENV.BASE_URL.replace('//', '//reader:p%3Ass%20w%C3%B6rd@');
export const options = {
  thresholds: { 'http_reqs{status:401}': ['count==7'], 'http_reqs{status:200}': ['count==6'], 'http_reqs{expected_response:true}': ['count==13'], http_req_failed: ['rate==0'], data_sent: ['count>2600'] },
};
export default function () {
  const auth = { auth: 'digest' };
  for (const kind of ['MD5', 'SHA-256']) {
    const r = http.get(`${base}/digest/${kind}?q=a b`, auth);
    console.log(kind, r.status, r.url.includes('reader'), r.json('proof').includes(', uri="/digest/' + kind + '?q=a%20b", '), r.request.headers.Authorization[0].startsWith('Digest '), r.request.cookies.asked[0].value);
  }
  const posted = http.post(`${base}/digest/MD5`, 'x'.repeat(1000), { auth: 'digest', compression: 'gzip' });
  console.log('posted', posted.status, posted.json('sent') < 100, posted.timings.duration > 0);
  console.log('stale', http.get(`${base}/digest/stale`, auth).status);
  console.log('async and batch', http.batch([['GET', `${base}/digest/MD5`, null, auth], ['GET', `${base}/digest/SHA-256`, null, auth]]).map((r) => r.status).join());
}
