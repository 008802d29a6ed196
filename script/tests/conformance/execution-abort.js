import exec from 'k6/execution';
import { sleep } from 'k6';
export const options = { vus: 3, duration: '60s' };
export default function () { if (__VU === 2) { try { exec.test.abort('enough'); } catch (error) { console.log('caught'); } } sleep(60); }
export function teardown() { console.log('torn down'); }
