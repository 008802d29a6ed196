import http from 'k6/http';
export default function () {
  for (const wrong of [() => http.get(__ENV.BASE_URL, { auth: 'ntlm' }), () => http.post(__ENV.BASE_URL, 'x', { compression: 'br' }), () => http.get(`${__ENV.BASE_URL}/json`).html()]) {
    try { wrong(); console.log('accepted'); } catch (error) { console.log('refused', error.message.includes('with k6')); }
  }
}
