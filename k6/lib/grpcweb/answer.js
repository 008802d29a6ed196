// What an HTTP answer says: messages, metadata and how the call ended.

import { decodeUtf8 } from './bytes.js';
import { decodeBase64 } from './base64.js';
import { Fault } from './fault.js';
import { frames } from './frame.js';
import { inflate } from './gzip.js';
import { metadataOf } from './metadata.js';
import { codeFromHttp, StatusInternal, StatusOK, StatusUnimplemented, StatusUnknown } from './status.js';
import { parseTrailer, statusOf } from './trailer.js';

/** @typedef {import('./status.js').Status} Status */
/** @typedef {import('./metadata.js').ReceivedMetadata} ReceivedMetadata */

/**
 * @typedef {object} Answer
 * @property {Status} status
 * @property {Uint8Array[]} messages those that came whole
 * @property {ReceivedMetadata} headers
 * @property {ReceivedMetadata} trailers
 * @property {boolean} statusOnly nothing but a status came, so the headers are trailers
 */

/**
 * @typedef {object} HttpAnswer
 * @property {number} status
 * @property {string} statusText
 * @property {Record<string, string>} headers names in lower case
 * @property {Uint8Array} body
 */

const ENCODINGS = ['grpc-encoding', 'grpc-accept-encoding'];
const SHOWN_BYTES = 200;

/**
 * @param {HttpAnswer} http
 * @param {number} limit of a message, in bytes
 * @returns {Answer}
 */
export function readAnswer(http, limit) {
  if (http.status !== 200) {
    return refused(http, codeFromHttp(http.status), `the server answered HTTP ${http.statusText}`);
  }
  let text;
  try {
    text = isText(http.headers['content-type'] ?? '');
  } catch (error) {
    const fault = faultOf(error);
    return refused(http, fault.code, fault.message);
  }
  return readBody(http, text, limit);
}

/**
 * Ends a call without a status from the server.
 * @param {number} code
 * @param {string} message
 * @returns {Answer}
 */
export function failed(code, message) {
  const status = { code, message, details: null };
  return { status, messages: [], headers: {}, trailers: {}, statusOnly: true };
}

/**
 * An answer that must hold exactly one message, and does if its status is OK.
 * @param {Answer} answer
 * @returns {Answer}
 */
export function withOneMessage(answer) {
  if (answer.messages.length === 1) return answer;
  const many = answer.messages.length > 1;
  if (answer.status.code !== StatusOK && !many) return answer;
  const message = many
    ? 'the server answered a unary call with more than one message'
    : 'the server answered a unary call with status OK and no message';
  return { ...answer, status: { code: StatusUnimplemented, message, details: null } };
}

/**
 * @param {HttpAnswer} http
 * @param {boolean} text
 * @param {number} limit
 * @returns {Answer}
 */
function readBody(http, text, limit) {
  /** @type {Uint8Array[]} */
  const messages = [];
  const headers = metadataOf(http.headers, ENCODINGS);
  try {
    const trailer = readFrames(http, text, limit, messages);
    if (!trailer?.hasStatus && messages.length === 0) {
      const own = statusOf(http.headers);
      if (own.hasStatus) return statusOnly(http, own.status);
    }
    if (!trailer) throw new Fault(StatusInternal, "the body ended without a trailer, so the call's status is unknown");
    return { status: trailer.status, messages, headers, trailers: trailer.metadata, statusOnly: false };
  } catch (error) {
    const { code, message } = faultOf(error);
    return { status: { code, message, details: null }, messages, headers, trailers: {}, statusOnly: false };
  }
}

/**
 * @param {HttpAnswer} http
 * @param {boolean} text
 * @param {number} limit
 * @param {Uint8Array[]} messages filled as they come
 * @returns {import('./trailer.js').Trailer | null} null when the body ends without one
 */
function readFrames(http, text, limit, messages) {
  const next = frames(text ? decodeBase64(http.body) : http.body, limit);
  for (let frame = next(); frame; frame = next()) {
    const payload = frame.compressed
      ? inflate(frame.payload, http.headers['grpc-encoding'], limit)
      : frame.payload;
    if (!frame.trailer) {
      messages.push(payload);
      continue;
    }
    const trailer = parseTrailer(payload);
    if (next()) throw new Fault(StatusInternal, 'body goes on after its trailer');
    return trailer;
  }
  return null;
}

/**
 * An answer without a gRPC-Web body. An error status in its headers tells more than what is wrong
 * with it.
 * @param {HttpAnswer} http
 * @param {number} code
 * @param {string} problem
 * @returns {Answer}
 */
function refused(http, code, problem) {
  const own = statusOf(http.headers);
  if (own.hasStatus && own.status.code !== StatusOK) return statusOnly(http, own.status);
  const answer = failed(code, problem + page(http));
  return { ...answer, headers: metadataOf(http.headers, ENCODINGS), statusOnly: false };
}

/**
 * @param {HttpAnswer} http
 * @param {Status} status
 * @returns {Answer}
 */
function statusOnly(http, status) {
  const trailers = metadataOf(http.headers, ['content-type', ...ENCODINGS]);
  return { status, messages: [], headers: {}, trailers, statusOnly: true };
}

/**
 * The beginning of a body that is text, on one line.
 * @param {HttpAnswer} http
 */
function page({ headers, body }) {
  const type = headers['content-type'] ?? '';
  if (body.length === 0 || (type !== '' && !type.startsWith('text/plain'))) return '';
  return `: ${decodeUtf8(body.subarray(0, SHOWN_BYTES)).split(/\s+/).join(' ').trim()}`;
}

/**
 * Whether an answer's body is base64. Letter case and parameters do not matter.
 * @param {string} contentType
 * @returns {boolean}
 */
function isText(contentType) {
  const [mediaType, subFormat] = contentType.split(';')[0].trim().toLowerCase().split('+');
  const shown = JSON.stringify(contentType);
  if (mediaType === 'application/grpc') {
    throw new Fault(
      StatusUnknown,
      `answer is native gRPC (content type ${shown}), not gRPC-Web; does a gRPC-Web layer stand before the server?`,
    );
  }
  if (mediaType !== 'application/grpc-web' && mediaType !== 'application/grpc-web-text') {
    throw new Fault(StatusUnknown, `answer has content type ${shown}, which is not gRPC-Web`);
  }
  if (subFormat !== undefined && subFormat !== 'proto') {
    throw new Fault(StatusInternal, `answer has content type ${shown}; protobuf was asked for`);
  }
  return mediaType === 'application/grpc-web-text';
}

/**
 * @param {unknown} error
 * @returns {Fault}
 */
function faultOf(error) {
  if (error instanceof Fault) return error;
  throw error;
}
