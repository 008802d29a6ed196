import { check } from 'k6';
import { Trend } from 'k6/metrics';
const t = new Trend('my_time', true);
export const options = { thresholds: { my_time: ['avg<2', 'p(95)<1'] } };
export default function () { t.add(1.5); check(1, { good: true, bad: false }); }
