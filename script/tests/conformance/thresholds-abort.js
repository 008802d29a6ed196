import { sleep } from 'k6';
import { Rate } from 'k6/metrics';
const errors = new Rate('my_errors');
export const options = { vus: 2, duration: '60s', thresholds: { my_errors: [{ threshold: 'rate<0.5', abortOnFail: true }] } };
export default function () { errors.add(1); sleep(0.2); }
export function teardown() { console.log('torn down'); }
