// How the load is driven: as in the article, 20 virtual users in a closed loop, unless the
// environment says otherwise.
//
//   DURATION    how long, default 30s (k6 wants at least 1s)
//   VUS         virtual users, default 20
//   RATE        operations per second: an open model instead of the closed loop
//   REPETITIONS operations of one virtual user, one after the other; see sequence.js
//   THRESHOLDS  JSON object of k6 thresholds to add, for example {"iteration_duration":["p(95)<2"]}
//   BODY_BYTES  with any value, the bytes of bodies too; k6 has no such metrics and refuses it
//   CLOUD_PROJECT_ID, CLOUD_NAME  for Grafana Cloud k6

import { inSequence, metricsOfOperations, REPETITIONS } from './sequence.js';

const DURATION = __ENV.DURATION || '30s';
const VUS = number('VUS', 'a whole number from 1 on', (vus) => Number.isInteger(vus) && vus >= 1) ?? 20;
const RATE = number('RATE', 'operations per second above 0', (rate) => rate > 0);

/**
 * What is sent and received outside the scenario (setup, teardown) must not count as an
 * operation's, so these metrics are kept apart by tag. A condition that always holds is how k6 is
 * told to keep a part of a metric.
 */
const SCENARIO_ONLY = {
  'data_sent{scenario:default}': ['count>=0'],
  'data_received{scenario:default}': ['count>=0'],
  'http_reqs{scenario:default}': ['count>=0'],
};

/** The embedded runner counts bodies when a threshold names them. */
const BODIES = {
  'data_sent_body{scenario:default}': ['count>=0'],
  'data_received_body{scenario:default}': ['count>=0'],
};

/**
 * A number of the environment.
 * @param {string} name
 * @param {string} expected
 * @param {(value: number) => boolean} fits
 * @returns {number | undefined}
 */
function number(name, expected, fits) {
  const text = __ENV[name];
  if (!text) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || !fits(value)) {
    throw new Error(`${name}=${text} cannot be used; give ${expected}`);
  }
  return value;
}

/** @returns {import('k6/options').Options['thresholds']} */
function givenThresholds() {
  try {
    return JSON.parse(__ENV.THRESHOLDS || '{}');
  } catch (error) {
    const form = 'a JSON object such as {"iteration_duration":["p(95)<2"]}';
    throw new Error(`THRESHOLDS=${__ENV.THRESHOLDS} cannot be used; give ${form}: ${error}`);
  }
}

/** @returns {import('k6/options').Scenario} */
function closedLoop() {
  return { executor: 'constant-vus', vus: VUS, duration: DURATION };
}

/**
 * @param {number} rate
 * @returns {import('k6/options').Scenario}
 */
function fixedRate(rate) {
  // k6 takes whole iterations per unit of time; a thousand seconds keep three decimals.
  return {
    executor: 'constant-arrival-rate',
    rate: Math.max(1, Math.round(rate * 1000)),
    timeUnit: '1000s',
    duration: DURATION,
    preAllocatedVUs: VUS,
    maxVUs: VUS,
  };
}

/** @returns {import('k6/options').Scenario} */
function scenario() {
  if (REPETITIONS > 0) return inSequence();
  return RATE ? fixedRate(RATE) : closedLoop();
}

/** @type {import('k6/options').Options} */
export const options = {
  scenarios: { default: scenario() },
  summaryTrendStats: ['min', 'avg', 'med', 'p(95)', 'p(99)', 'max', 'count'],
  thresholds: {
    ...SCENARIO_ONLY,
    ...metricsOfOperations(),
    ...(__ENV.BODY_BYTES ? BODIES : {}),
    ...givenThresholds(),
  },
  cloud: {
    ...(__ENV.CLOUD_PROJECT_ID ? { projectID: Number(__ENV.CLOUD_PROJECT_ID) } : {}),
    ...(__ENV.CLOUD_NAME ? { name: __ENV.CLOUD_NAME } : {}),
  },
};
