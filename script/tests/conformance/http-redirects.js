import http from 'k6/http';
export default function () {
  const url = `${__ENV.BASE_URL}/redirect`;
  const there = http.get(`${url}/2`); console.log(there.status, there.url.endsWith('/redirect/0'), there.request.url.endsWith('/redirect/2'));
  console.log(http.get(`${url}/2`, { redirects: 0 }).status, http.get(`${url}/2`, { redirects: 1 }).url.endsWith('/1'));
  console.log(http.post(`${url}/1`, 'x').status);
}
