// One virtual user that makes operations one after the other, and the times of each of them.
//
//   REPETITIONS  operations in all; without it, nothing here changes anything
//   DROP         how many of the first are left out of the times, default 0
//   PAUSE        wait after each operation, for example 1s or 250ms; default none
//   DURATION     how long operations start, default 10m

import { group, sleep } from 'k6';
import exec from 'k6/execution';

/** Every operation has metrics of its own, which k6 keeps in memory. */
const MOST = 1000;

/** Operations in all; 0 in other models. */
export const REPETITIONS = whole('REPETITIONS', MOST);

const DROP = whole('DROP', REPETITIONS - 1);
const PAUSE_S = pause(__ENV.PAUSE || '0s');

/** Metrics of an operation: how long it took, and what its requests did until the first byte. */
const FULL = 'group_duration';
const UNTIL_FIRST_BYTE = ['http_req_sending', 'http_req_waiting'];

/**
 * @param {string} name
 * @param {number} most
 * @returns {number}
 */
function whole(name, most) {
  const text = __ENV[name] || '0';
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || number > Math.max(most, 0)) {
    throw new Error(`${name}=${text} cannot be used; give a whole number up to ${Math.max(most, 0)}`);
  }
  return number;
}

/**
 * @param {string} text
 * @returns {number} seconds
 */
function pause(text) {
  const found = /^(\d+(?:\.\d+)?)(ms|s)$/.exec(text);
  if (found === null) {
    throw new Error(`PAUSE=${text} cannot be used; write it like 1s or 250ms`);
  }
  return Number(found[1]) * (found[2] === 'ms' ? 0.001 : 1);
}

/**
 * The function of a script, which in a sequence is timed and followed by the pause.
 * @template T
 * @param {(data: T) => void} work one operation
 * @returns {(data: T) => void}
 */
export function operation(work) {
  if (REPETITIONS === 0) return work;
  return (data) => {
    // Whatever is measured from here on carries the operation's number.
    exec.vu.metrics.tags.op = String(__ITER);
    try {
      group('operation', () => work(data));
    } finally {
      delete exec.vu.metrics.tags.op;
      if (PAUSE_S > 0) sleep(PAUSE_S);
    }
  };
}

/** @returns {import('k6/options').Scenario} */
export function inSequence() {
  return {
    executor: 'per-vu-iterations',
    vus: 1,
    iterations: REPETITIONS,
    maxDuration: __ENV.DURATION || '10m',
  };
}

/**
 * Thresholds that always hold: that is how k6 is told to keep a metric of each operation.
 * @returns {Record<string, string[]>}
 */
export function metricsOfOperations() {
  /** @type {Record<string, string[]>} */
  const kept = {};
  for (let op = 0; op < REPETITIONS; op += 1) {
    for (const metric of [FULL, ...UNTIL_FIRST_BYTE]) kept[`${metric}{op:${op}}`] = ['max>=0'];
  }
  return kept;
}

/**
 * The times of every operation that ended, in order.
 * @param {(metric: string, value: string) => number} read a value of a metric; 0 where it has none
 */
export function samples(read) {
  /** @type {number[]} */
  const full = [];
  /** @type {number[]} */
  const ttfb = [];
  for (let op = 0; op < REPETITIONS; op += 1) {
    const sum = (/** @type {string} */ metric) =>
      read(`${metric}{op:${op}}`, 'avg') * read(`${metric}{op:${op}}`, 'count');
    const time = sum(FULL);
    if (time > 0) {
      full.push(time);
      ttfb.push(UNTIL_FIRST_BYTE.map(sum).reduce((a, b) => a + b, 0));
    }
  }
  // gRPC has no such metric.
  const seen = ttfb.some((time) => time > 0);
  return { dropped: DROP, full_ms: full, ...(seen ? { ttfb_ms: ttfb } : {}) };
}

/**
 * Their distribution without the dropped ones, as the contract has it.
 * @param {{ dropped: number, full_ms: number[] }} times
 */
export function latency({ dropped, full_ms }) {
  const sorted = full_ms.slice(dropped).sort((a, b) => a - b);
  const at = (/** @type {number} */ share) => {
    if (sorted.length === 0) return 0;
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.ceil(place);
    return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
  };
  return {
    min_ms: at(0),
    mean_ms: sorted.reduce((a, b) => a + b, 0) / Math.max(sorted.length, 1),
    p50_ms: at(0.5),
    p95_ms: at(0.95),
    p99_ms: at(0.99),
    max_ms: at(1),
  };
}
