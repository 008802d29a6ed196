import { sleep } from 'k6';
export const options = { stages: [{ duration: '500ms', target: 2 }, { duration: '500ms', target: 0 }] };
export default function () { sleep(0.05); }
