import { check, group } from 'k6';
import { Counter } from 'k6/metrics';
import http from 'k6/http';
const seen = new Counter('seen');
const once = (exec) => ({ executor: 'shared-iterations', exec });
export const options = { scenarios: { second: once('two'), first: once('one') } };
export function one() {
  group('outer', () => {
    check(1, { 'in outer': true });
    http.get(`${__ENV.BASE_URL}/status/200`);
    group('inner', () => { seen.add(3); check(1, { 'in inner': false }); });
  });
}
export function two() { seen.add(4); }
