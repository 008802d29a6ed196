import exec from 'k6/execution';
export function setup() { exec.test.abort('no way'); }
export default function () { console.log('iterated'); }
