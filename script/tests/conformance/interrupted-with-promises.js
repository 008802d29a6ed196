// What is under way when an iteration is interrupted is given up, and the engine ends in order.
import http from 'k6/http';
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 3, duration: '1s', gracefulStop: '0s' } } };
const kept = [];
export default async function () {
  setInterval(() => kept.push(1), 20);
  setTimeout((value) => kept.push(value), 60000, { big: 'value' });
  const pending = http.asyncRequest('GET', `${__ENV.BASE_URL}/delay/60000`);
  kept.push(pending.then((r) => kept.push(r)));
  if (__VU === 1) sleep(60);
  if (__VU === 2) http.get(`${__ENV.BASE_URL}/delay/60000`);
  await pending;
}
