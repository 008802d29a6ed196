import exec, { vu, scenario } from 'k6/execution';
export const options = { tags: { run: 'r' }, scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };
export default function () {
  const { instance } = exec;
  console.log(`user ${vu.idInTest === __VU} ${vu.idInInstance === __VU} ${vu.iterationInInstance === __ITER} ${vu.iterationInScenario === __ITER}`);
  console.log(`scenario ${scenario.name} ${scenario.executor} ${scenario.iterationInTest} ${Math.abs(Date.now() - scenario.startTime) < 5000} ${scenario.progress > 0}`);
  console.log(`instance ${instance.vusInitialized} ${instance.vusActive <= 2} ${instance.iterationsInterrupted} ${instance.iterationsCompleted < 4}`);
  console.log(`options ${exec.test.options.scenarios.a.iterations} ${vu.tags.scenario} ${vu.tags.run} ${'nope' in vu.tags}`);
}
