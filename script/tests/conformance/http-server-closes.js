import http from 'k6/http';
export const options = { iterations: 3 };
export default function () { console.log(http.get(`${__ENV.BASE_URL}/close`).status, http.get(`${__ENV.BASE_URL}/status/200`).status); }
