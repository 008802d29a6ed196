import { sleep } from 'k6';
export const options = { setupTimeout: '300ms' };
export function setup() { sleep(20); }
export default function () {}
