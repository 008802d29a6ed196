// The client's own metrics, named and tagged as those of the extension. k6/http counts the same calls
// as http_req_*, where an error status in a 200 answer is a success.

import { Counter, Rate, Trend } from 'k6/metrics';

import { StatusOK } from './status.js';

const duration = new Trend('grpcweb_req_duration', true);
const requests = new Counter('grpcweb_reqs');
const failures = new Rate('grpcweb_req_failed');
const streams = new Counter('grpcweb_streams');
const messagesSent = new Counter('grpcweb_streams_msgs_sent');
const messagesReceived = new Counter('grpcweb_streams_msgs_received');

/** @typedef {Record<string, string>} Tags */

/**
 * @param {import('./params.js').Connection} connection
 * @param {import('./schema.js').Method} method
 * @param {Tags} tags the script's own
 * @returns {Tags}
 */
export function tagsOf(connection, method, tags) {
  return {
    name: method.path,
    ...tags,
    url: connection.address + method.path,
    service: method.service,
    method: method.name,
  };
}

/**
 * Counts a call that has ended.
 * @param {Tags} tags
 * @param {number} code
 * @param {number} durationMs
 */
export function countCall(tags, code, durationMs) {
  const tagged = { ...tags, status: String(code) };
  requests.add(1, tagged);
  duration.add(durationMs, tagged);
  failures.add(code !== StatusOK, tagged);
}

/**
 * Counts a stream that was opened.
 * @param {Tags} tags
 */
export function countStream(tags) {
  streams.add(1, tags);
}

/**
 * Counts the messages of a stream.
 * @param {Tags} tags
 * @param {number} received
 */
export function countMessages(tags, received) {
  messagesSent.add(1, tags);
  messagesReceived.add(received, tags);
}
