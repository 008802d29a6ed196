// What ends a call: its status and the server's trailing metadata.

import { decodeUtf8, encodeUtf8 } from './bytes.js';
import { Fault } from './fault.js';
import { addReceived, decodeBinary, DETAILS, MESSAGE, STATUS } from './metadata.js';
import { StatusInternal, StatusUnknown } from './status.js';

/** @typedef {import('./status.js').Status} Status */
/** @typedef {import('./metadata.js').ReceivedMetadata} ReceivedMetadata */

/**
 * @typedef {object} Trailer
 * @property {boolean} hasStatus whether a grpc-status was present, readable or not
 * @property {Status} status
 * @property {ReceivedMetadata} metadata
 */

const MAX_CODE = 2 ** 31 - 1;
const EXCERPT = 80;
const PERCENT = 0x25;

/**
 * Reads the payload of a trailer frame. Peers differ in white space, letter case, line ends and a
 * final empty line; all of these are accepted.
 * @param {Uint8Array} block
 * @returns {Trailer}
 */
export function parseTrailer(block) {
  /** @type {ReceivedMetadata} */
  const metadata = {};
  /** @type {Record<string, string>} */
  const own = {};
  for (const line of decodeUtf8(block).split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text === '') continue;
    const colon = text.indexOf(':');
    const name = trim(text.slice(0, Math.max(colon, 0))).toLowerCase();
    if (name === '') {
      throw new Fault(
        StatusInternal,
        `trailer line ${JSON.stringify(text.slice(0, EXCERPT))} is not of the form name:value`,
      );
    }
    const value = trim(text.slice(colon + 1));
    if (name === STATUS || name === MESSAGE || name === DETAILS) {
      if (own[name] === undefined) own[name] = value;
    } else {
      addReceived(metadata, name, value);
    }
  }
  return { ...statusOf(own), metadata };
}

/**
 * Reads the status in an answer's headers, where it is when the server had nothing else to send.
 * @param {Record<string, string>} headers names in lower case
 * @returns {{ hasStatus: boolean, status: Status }}
 */
export function statusOf(headers) {
  const text = headers[STATUS];
  const message = decodeMessage(headers[MESSAGE] ?? '');
  const details = headers[DETAILS] === undefined ? null : decodeBinary(headers[DETAILS]);
  if (text === undefined) {
    const status = { code: StatusUnknown, message: message || 'the server sent no grpc-status', details };
    return { hasStatus: false, status };
  }
  const code = /^\d{1,10}$/.test(text) ? Number(text) : Infinity;
  if (code > MAX_CODE) {
    const unreadable = `the server sent an unreadable grpc-status ${JSON.stringify(text.slice(0, EXCERPT))}`;
    return { hasStatus: true, status: { code: StatusUnknown, message: message || unreadable, details } };
  }
  return { hasStatus: true, status: { code, message, details } };
}

/**
 * Undoes the percent-escapes of grpc-message. Broken ones stay as they are.
 * @param {string} escaped
 * @returns {string}
 */
function decodeMessage(escaped) {
  if (!escaped.includes('%')) return escaped;
  const from = encodeUtf8(escaped);
  const bytes = new Uint8Array(from.length);
  let length = 0;
  for (let at = 0; at < from.length; at++) {
    const high = from[at] === PERCENT ? hexDigit(from[at + 1]) : -1;
    const low = high >= 0 ? hexDigit(from[at + 2]) : -1;
    if (low >= 0) {
      bytes[length++] = high * 16 + low;
      at += 2;
    } else {
      bytes[length++] = from[at];
    }
  }
  return decodeUtf8(bytes.subarray(0, length));
}

/**
 * @param {number | undefined} character
 * @returns {number} -1 for anything else
 */
function hexDigit(character) {
  if (character === undefined) return -1;
  const value = parseInt(String.fromCharCode(character), 16);
  return Number.isNaN(value) ? -1 : value;
}

/**
 * Without HTTP's white space at both ends.
 * @param {string} text
 */
function trim(text) {
  return text.replace(/^[ \t]+|[ \t]+$/g, '');
}
