import { Counter } from 'k6/metrics';
const c = new Counter('tagged');
export const options = { tags: { team: 'a' }, thresholds: { 'tagged{team:b}': ['count==1'], 'tagged{team:b,own:x}': ['count==1'] } };
export default function () { c.add(1, { own: 'x' }); }
