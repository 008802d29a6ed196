// Side by side, the second one later.
export const options = { scenarios: { late: { executor: 'shared-iterations', startTime: '700ms', exec: 'late' }, early: { executor: 'shared-iterations', exec: 'early' } } };
import exec from 'k6/execution';
export const early = () => console.log('early', exec.instance.currentTestRunDuration < 690);
export const late = () => console.log('late', exec.instance.currentTestRunDuration >= 699);
