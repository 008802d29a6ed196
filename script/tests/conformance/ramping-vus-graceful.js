// A user that is taken away may finish its iteration within gracefulRampDown.
import { sleep } from 'k6';
const scenario = (gracefulRampDown) => ({ executor: 'ramping-vus', startVUs: 2, stages: [{ duration: '1s', target: 1 }, { duration: '500ms', target: 1 }], gracefulRampDown, gracefulStop: '0s' });
export const options = { scenarios: { kind: { ...scenario('5s'), exec: 'kind' }, strict: { ...scenario('0s'), exec: 'strict' } } };
export const kind = () => { sleep(1.2); console.log('kind done', __VU); };
export const strict = () => { sleep(1.2); console.log('strict done', __VU); };
