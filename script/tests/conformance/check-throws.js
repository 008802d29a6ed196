// A check that throws has failed, and the exception goes on.
import { check } from 'k6';
export default function () { check(1, { bad: () => { throw new Error('in check'); } }); console.log('after'); }
