import http from 'k6/http';
export default function () {
  for (const wrong of [() => http.cookieJar(), () => http.get(__ENV.BASE_URL, { compression: 'gzip' }), () => http.get(`${__ENV.BASE_URL}/json`).html()]) {
    try { wrong(); console.log('accepted'); } catch (error) { console.log('refused', error.message.includes('with k6')); }
  }
}
