import { check, group } from 'k6';
import { Counter } from 'k6/metrics';
const seen = new Counter('seen');
export const options = { thresholds: { 'seen{group:::outer::inner}': ['count==1'], 'group_duration{group:::outer}': ['avg>=0'] } };
export default function () {
  const value = group('outer', () => {
    check(1, { 'in outer': true });
    group('inner', () => { seen.add(1); check(1, { 'in inner': true }); });
    return 'returned';
  });
  seen.add(1);
  console.log(value);
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
