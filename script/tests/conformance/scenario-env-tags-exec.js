// A scenario's variables are there in its iterations, not in the init code.
import { Counter } from 'k6/metrics';
const runs = new Counter('runs');
export const options = {
  scenarios: {
    one: { executor: 'shared-iterations', vus: 2, iterations: 4, exec: 'work', env: { WHO: 'one' }, tags: { kind: 'x' } },
    two: { executor: 'per-vu-iterations', vus: 2, iterations: 3, exec: 'work', env: { WHO: 'two' } },
  },
  thresholds: { 'runs{scenario:one}': ['count==4'], 'runs{kind:x}': ['count==4'], 'runs{scenario:two}': ['count==6'] },
};
if (__ENV.WHO !== undefined) throw new Error('too early');
export function work() { runs.add(1, { who: __ENV.WHO }); }
