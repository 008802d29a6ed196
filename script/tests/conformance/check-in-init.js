import { check } from 'k6';
check(1, { x: true });
export default function () {}
