import http from 'k6/http';
const url = `${__ENV.BASE_URL}/digest`, auth = { auth: 'digest' };
const as = (user, kind) => http.get(`${url.replace('//', `//${user}@`)}/${kind}`, auth);
export default function () {
  console.log('wrong', as('reader:wrong', 'MD5').status, 'stale', as('reader:wrong', 'stale').status);
  console.log('nobody', http.get(`${url}/MD5`, auth).status, 'other', as('a:b', 'other').status, 'algorithm', as('a:b', 'SHA-1').status);
  console.log('open', as('a:b', 'open').body);
  try { as.call(null, 'a:b', 'MD5'); http.get(url, { auth: 'ntlm' }); console.log('accepted'); } catch (error) { console.log(`refused: ${error.message}`); }
  try { http.get(url, { auth: 'bearer' }); console.log('accepted'); } catch (error) { console.log(`refused: ${error.message}`); }
}
