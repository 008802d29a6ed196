import http from 'k6/http';
export const options = { noConnectionReuse: true };
export default function () {
  const number = () => http.get(`${__ENV.HTTPS2_URL}/connection`).json('number');
  console.log('others', number() !== number());
}
