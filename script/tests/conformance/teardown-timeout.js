import { sleep } from 'k6';
export const options = { teardownTimeout: '300ms' };
export default function () {}
export function teardown() { sleep(20); }
