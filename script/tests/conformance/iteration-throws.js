// An exception is logged and the iteration counts.
export const options = { iterations: 3 };
export default function () { if (__ITER === 1) throw new Error('once'); }
