// One line per run, as in the article, and the JSON contract with the wrapper.

import { LINES } from './lines.js';
import { latency, REPETITIONS, samples } from './sequence.js';

/** Must be the wrapper's `LOAD_CONTRACT`. */
const CONTRACT = 'bookstore-bench/load-summary/v1';

/**
 * What k6 hands to handleSummary, as far as it is used here.
 * @typedef {{ values: Record<string, number> }} Metric
 * @typedef {{ metrics: Record<string, Metric | undefined>, state: { testRunDurationMs: number } }} Data
 */

/**
 * A value of a metric; 0 when there were no samples.
 * @param {Data} data
 * @param {string} metric
 * @param {string} value
 * @returns {number}
 */
function read(data, metric, value) {
  const found = data.metrics[metric];
  return (found && found.values[value]) || 0;
}

/**
 * The load summary of the contract.
 * @param {string} script file stem of the script
 * @param {Data} data
 */
function loadSummary(script, data) {
  const passed = read(data, 'checks', 'passes');
  const wrong = read(data, 'checks', 'fails');
  // An iteration that throws has no check, and counts as completed all the same.
  const thrown = Math.max(0, read(data, 'iterations', 'count') - passed - wrong);
  const failures = [
    { reason: 'the check of the operation failed', count: wrong },
    { reason: 'the script threw an exception, which is in its log', count: thrown },
  ];
  const times = REPETITIONS > 0 ? samples((metric, value) => read(data, metric, value)) : null;
  return {
    contract: CONTRACT,
    engine: {
      name: __ENV.BENCH_ENGINE || 'k6',
      version: __ENV.BENCH_ENGINE_VERSION || 'unknown',
      workers: __ENV.BENCH_ENGINE_WORKERS ? Number(__ENV.BENCH_ENGINE_WORKERS) : null,
    },
    script,
    lines: script.startsWith('a-') ? LINES : null,
    vus: read(data, 'vus_max', 'max') || Number(__ENV.VUS || '20'),
    elapsed_s: data.state.testRunDurationMs / 1000,
    operations: passed,
    failed_operations: wrong + thrown,
    failures: failures.filter(({ count }) => count > 0),
    dropped_iterations: read(data, 'dropped_iterations', 'count'),
    late_starts: 0,
    requests:
      read(data, 'http_reqs{scenario:default}', 'count') +
      read(data, 'grpc_req_duration', 'count') +
      read(data, 'grpcweb_reqs', 'count'),
    latency: times ? latency(times) : {
      min_ms: read(data, 'iteration_duration', 'min'),
      mean_ms: read(data, 'iteration_duration', 'avg'),
      p50_ms: read(data, 'iteration_duration', 'med'),
      p95_ms: read(data, 'iteration_duration', 'p(95)'),
      p99_ms: read(data, 'iteration_duration', 'p(99)'),
      max_ms: read(data, 'iteration_duration', 'max'),
    },
    ...(times ? { samples: times } : {}),
    sent_bytes: read(data, 'data_sent{scenario:default}', 'count'),
    received_bytes: read(data, 'data_received{scenario:default}', 'count'),
    ...(__ENV.BODY_BYTES
      ? {
          sent_body_bytes: read(data, 'data_sent_body{scenario:default}', 'count'),
          received_body_bytes: read(data, 'data_received_body{scenario:default}', 'count'),
        }
      : {}),
  };
}

/**
 * One line for a person.
 * @param {ReturnType<typeof loadSummary>} run
 * @param {number} serverCpuSeconds 0 when it was not read
 * @returns {string}
 */
function line(run, serverCpuSeconds) {
  const operations = Math.max(run.operations, 1);
  const name = run.lines === null ? run.script : `L${run.lines}-${run.script}`;
  const parts = [
    name,
    `${Math.round(run.operations / run.elapsed_s)} op/s`,
    `p50 ${run.latency.p50_ms.toFixed(2)} ms`,
    `p95 ${run.latency.p95_ms.toFixed(2)} ms`,
    `${(run.requests / operations).toFixed(2)} requests/op`,
    `${Math.round(run.sent_bytes / operations)} B sent/op`,
    `${Math.round(run.received_bytes / operations)} B received/op`,
  ];
  if (serverCpuSeconds > 0) {
    parts.push(`server ${((serverCpuSeconds * 1e6) / operations).toFixed(1)} us/op`);
  }
  if (run.failed_operations > 0) parts.push(`${run.failed_operations} FAILED`);
  if (run.dropped_iterations > 0) parts.push(`${run.dropped_iterations} dropped`);
  return `${parts.join('  ')}\n`;
}

/**
 * The handleSummary of a script.
 * @param {string} script file stem of the script
 * @returns {(data: any) => Record<string, string>}
 */
export function summarize(script) {
  return (data) => {
    const run = loadSummary(script, data);
    /** @type {Record<string, string>} */
    const files = { stdout: line(run, read(data, 'bookstore_server_cpu_seconds', 'value')) };
    if (__ENV.BENCH_SUMMARY) files[__ENV.BENCH_SUMMARY] = `${JSON.stringify(run)}\n`;
    return files;
  };
}
