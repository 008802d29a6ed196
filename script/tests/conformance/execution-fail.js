import exec from 'k6/execution';
export const options = { iterations: 2 };
export default function () { exec.test.fail('not good'); console.log('goes on', __ITER); }
