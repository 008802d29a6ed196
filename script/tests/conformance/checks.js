import { check } from 'k6';
export const options = { iterations: 2, thresholds: { 'checks{kind:b}': ['rate==0.5'] } };
export default function () {
  const all = check(5, { 'is five': (n) => n === 5, plain: true, falsy: 0 });
  console.log('all', all, check(null, { 'even iteration': () => __ITER % 2 === 0 }, { kind: 'b' }));
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
