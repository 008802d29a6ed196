// One call over k6/http.

import http from 'k6/http';

import { failed, readAnswer } from './answer.js';
import { encodeBase64 } from './base64.js';
import { encodeTimeout } from './duration.js';
import { COMPRESSED, frame } from './frame.js';
import { deflate, GZIP } from './gzip.js';
import { StatusDeadlineExceeded, StatusResourceExhausted, StatusUnavailable } from './status.js';

/** @typedef {import('./answer.js').Answer} Answer */
/** @typedef {import('./params.js').Connection} Connection */
/** @typedef {import('./params.js').CallParams} CallParams */
/** @typedef {import('k6/http').RefinedResponse<'binary'>} HttpResponse */
/** @typedef {{ answer: Answer, durationMs: number }} Outcome */

/**
 * @typedef {object} Request
 * @property {string} url
 * @property {string | ArrayBuffer} body
 * @property {import('k6/http').RefinedParams<'binary'>} params
 * @property {number} timeoutMs
 */

const TIMED_OUT = 1050;
/** k6/http has no calls without a time-out. */
const NO_TIMEOUT_MS = 24 * 3600 * 1000;

/**
 * Makes a call and waits for it.
 * @param {Connection} connection
 * @param {string} path
 * @param {Uint8Array} message
 * @param {CallParams} params
 * @returns {Outcome}
 */
export function call(connection, path, message, params) {
  const local = tooLarge(connection, message);
  if (local) return local;
  const request = requestOf(connection, path, message, params);
  const started = Date.now();
  const response = http.post(request.url, request.body, request.params);
  return outcomeOf(connection, request, response, started);
}

/**
 * Makes a call while the script goes on.
 * @param {Connection} connection
 * @param {string} path
 * @param {Uint8Array} message
 * @param {CallParams} params
 * @returns {Promise<Outcome>}
 */
export async function callAsync(connection, path, message, params) {
  const local = tooLarge(connection, message);
  if (local) return local;
  const request = requestOf(connection, path, message, params);
  const started = Date.now();
  const response = await http.asyncRequest('POST', request.url, request.body, request.params);
  return outcomeOf(connection, request, response, started);
}

/**
 * @param {Connection} connection
 * @param {Uint8Array} message
 * @returns {Outcome | undefined}
 */
function tooLarge({ maxSendBytes }, message) {
  if (message.length <= maxSendBytes) return undefined;
  const problem = `message of ${message.length} bytes is larger than the send limit of ${maxSendBytes} bytes`;
  return { answer: failed(StatusResourceExhausted, problem), durationMs: 0 };
}

/**
 * @param {Connection} connection
 * @param {string} path
 * @param {Uint8Array} message
 * @param {CallParams} params
 * @returns {Request}
 */
function requestOf(connection, path, message, { headers, tags, timeout }) {
  const framed = connection.gzip ? frame(COMPRESSED, deflate(message)) : frame(0, message);
  const contentType = connection.text ? 'application/grpc-web-text+proto' : 'application/grpc-web+proto';
  const limited = timeout.ms > 0 || timeout.ns > 0;
  const timeoutMs = limited ? timeout.ms + timeout.ns / 1e6 : NO_TIMEOUT_MS;
  const throwing = { throw: false }; // a failed call is an answer; the types do not know this one
  return {
    url: connection.base + path,
    body: connection.text ? encodeBase64(framed) : framed.buffer,
    params: {
      headers: {
        'content-type': contentType,
        'x-grpc-web': '1',
        ...(connection.text ? { accept: contentType } : {}),
        ...(connection.gzip ? { 'grpc-encoding': GZIP, 'grpc-accept-encoding': GZIP } : {}),
        ...(connection.authority ? { Host: connection.authority } : {}),
        ...connection.headers,
        ...headers,
        ...(limited ? { 'grpc-timeout': encodeTimeout(timeout) } : {}),
      },
      tags: { name: path, ...tags },
      timeout: timeoutMs,
      redirects: 0,
      responseType: 'binary',
      ...throwing,
    },
    timeoutMs,
  };
}

/**
 * @param {Connection} connection
 * @param {Request} request
 * @param {HttpResponse} response
 * @param {number} started
 * @returns {Outcome}
 */
function outcomeOf(connection, request, response, started) {
  const durationMs = response.timings.blocked + response.timings.duration;
  if (response.status === 0) {
    const late = response.error_code === TIMED_OUT || Date.now() - started >= request.timeoutMs;
    const answer = late
      ? failed(StatusDeadlineExceeded, "the call's deadline has passed")
      : failed(StatusUnavailable, `${connection.address}: ${response.error}`);
    return { answer, durationMs };
  }
  /** @type {Record<string, string>} */
  const headers = {};
  for (const [name, value] of Object.entries(response.headers)) headers[name.toLowerCase()] = value;
  const answer = readAnswer(
    {
      status: response.status,
      statusText: response.status_text || String(response.status),
      headers,
      body: new Uint8Array(response.body ?? new ArrayBuffer(0)),
    },
    connection.maxReceiveBytes,
  );
  return { answer, durationMs };
}
