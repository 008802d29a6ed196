import http from 'k6/http';
export default async function () {
  // Each is answered only when the other has come.
  const meet = () => http.asyncRequest('GET', `${__ENV.BASE_URL}/meet/2`);
  const [one, two] = await Promise.all([meet(), meet()]);
  console.log(one.status, two.body);
  await http.asyncRequest('GET', 'http://127.0.0.1:1/', null, { throw: true }).catch((error) => console.log('rejected', error.message.includes('refused')));
}
