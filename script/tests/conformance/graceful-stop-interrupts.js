// What still runs after gracefulStop is interrupted and does not count.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '200ms' } } };
export default function () { try { sleep(30); } catch (error) { console.log('caught'); } }
