export const options = { iterations: 4 };
export default function () {
  const thrown = ['a string', { code: 7 }, null, new RangeError('too much')];
  throw thrown[__ITER];
}
