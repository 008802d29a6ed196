import http from 'k6/http';
export default async function () {
  const slow = () => http.asyncRequest('GET', `${__ENV.BASE_URL}/delay/300`);
  const began = Date.now();
  const [one, two] = await Promise.all([slow(), slow()]);
  console.log(one.status, two.body, Date.now() - began < 595);
}
