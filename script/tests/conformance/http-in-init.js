import http from 'k6/http';
http.get(`${__ENV.BASE_URL}/status/200`);
export default function () {}
