import { check } from 'k6';
export default function () {
  for (const wrong of [() => check(1), () => check(1, { 'a::b': true }), () => check(1, { late: async () => true })]) {
    try { wrong(); console.log('accepted'); } catch (error) { console.log('refused', error.message); }
  }
}
