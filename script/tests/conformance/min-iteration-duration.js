export const options = { iterations: 2, minIterationDuration: '300ms' };
let last = 0;
export default function () { if (last) console.log('apart', Date.now() - last >= 295); last = Date.now(); }
