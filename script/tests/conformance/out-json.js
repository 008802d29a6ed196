import { Counter } from 'k6/metrics';
const c = new Counter('my_count');
export const options = { iterations: 2, thresholds: { my_count: ['count==2'] } };
export default function () { c.add(1, { own: 'x' }); }
