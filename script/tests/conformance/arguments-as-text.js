import { group, sleep } from 'k6';
import encoding from 'k6/encoding';
const text = (bytes) => String.fromCharCode(...new Uint8Array(bytes));
export default function () {
  sleep('0.001');
  console.log('group', group(5, () => 'ran'));
  console.log('lines', text(encoding.b64decode('YWJj\r\nZGVm\n')), encoding.b64encode('a', undefined));
  for (const call of [() => sleep('soon'), () => sleep(NaN), () => group('g'), () => encoding.b64decode()]) {
    try { call(); } catch (error) { console.log('refused:', error.message); }
  }
}
