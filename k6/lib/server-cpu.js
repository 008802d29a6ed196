// Server CPU per operation without the wrapper: the server's own counter before and after.

import http from 'k6/http';
import { Gauge } from 'k6/metrics';

import { BASE_URL } from './target.js';

/** CPU seconds that the server used between setup and teardown. */
const serverCpuSeconds = new Gauge('bookstore_server_cpu_seconds');

/**
 * The server's CPU seconds so far; absent when the wrapper measures from outside or the server
 * does not tell.
 * @returns {number | undefined}
 */
function cpuSeconds() {
  if (__ENV.BENCH_SUMMARY) return undefined;
  const answer = http.get(`${BASE_URL}/metrics`);
  const found = /^process_cpu_seconds_total ([0-9.eE+-]+)$/m.exec(String(answer.body));
  return found ? Number(found[1]) : undefined;
}

/** @returns {{ cpuSeconds: number | undefined }} */
export function setup() {
  return { cpuSeconds: cpuSeconds() };
}

/** @param {{ cpuSeconds?: number }} before */
export function teardown(before) {
  const after = cpuSeconds();
  if (before && before.cpuSeconds !== undefined && after !== undefined) {
    serverCpuSeconds.add(after - before.cpuSeconds);
  }
}
