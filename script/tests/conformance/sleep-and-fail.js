import { fail, sleep } from 'k6';
export default function () { sleep(0.2); fail('given up'); }
