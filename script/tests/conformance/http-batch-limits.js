// Six at once to one host, so seven of 300 ms take two rounds.
import http from 'k6/http';
export default function () {
  const urls = (n) => Array.from({ length: n }, () => `${__ENV.BASE_URL}/delay/300`);
  const timed = (n) => { const began = Date.now(); http.batch(urls(n)); return Date.now() - began; };
  const six = timed(6), seven = timed(7);
  console.log(six >= 295 && seven >= 595);
}
