import http from 'k6/http';
export const options = { discardResponseBodies: true };
export default function () { const url = `${__ENV.BASE_URL}/bytes/5`; console.log(http.get(url).body, http.get(url, { responseType: 'text' }).body.length); }
