export const options = { iterations: 3, minIterationDuration: '900ms' };
let last = 0;
export default function () { if (last) console.log('apart', Date.now() - last >= 895); last = Date.now(); }
