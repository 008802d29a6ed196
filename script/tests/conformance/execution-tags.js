// Tags that a script sets stay over iterations.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';
const c = new Counter('my_count');
export const options = { iterations: 3, thresholds: { 'my_count{mine:1}': ['count==2'], 'iterations{mine:1}': ['count==3'] } };
export default function () {
  if (__ITER === 1) console.log(Object.keys(exec.vu.metrics.tags).includes('mine'));
  if (__ITER > 0) c.add(1);
  exec.vu.tags.mine = 1;
  exec.vu.tags.bad = { a: 1 };
  if (__ITER === 2) { exec.vu.metrics.tags.other = 'x'; delete exec.vu.tags.other; console.log(exec.vu.tags.other === undefined); }
}
