import { setTimeout as later } from 'k6/timers';
export default async function () { await new Promise((done) => later(done, 30)); console.log('done'); }
