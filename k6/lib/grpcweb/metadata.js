// Metadata: to headers, and from headers and trailers.

import { bytesOf, latin1 } from './bytes.js';
import { decodeBase64, encodeBase64 } from './base64.js';

/** @typedef {Record<string, string[]>} ReceivedMetadata */

const BINARY_SUFFIX = '-bin';
const KEY = /^[A-Za-z0-9_.-]+$/;
const VALUE = /^[ -~]*$/;

/** Keys of the protocol and of HTTP; a caller's value would contradict the real one. */
const RESERVED = new Set([
  'accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type',
  'expect', 'host', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding',
  'upgrade', 'x-grpc-web',
]);

/** Header names that say how a call ended. */
export const STATUS = 'grpc-status';
export const MESSAGE = 'grpc-message';
export const DETAILS = 'grpc-status-details-bin';

/**
 * The headers of metadata, by their names in lower case. Throws for what no header can carry.
 * @param {string} param the parameter's name, for errors
 * @param {unknown} metadata
 * @returns {Record<string, string>}
 */
export function headersOf(param, metadata) {
  if (metadata === undefined || metadata === null) return {};
  if (typeof metadata !== 'object' || Array.isArray(metadata)) {
    throw new Error(`${param} must be an object with key-value pairs, not ${String(metadata)}`);
  }
  /** @type {Record<string, string>} */
  const headers = {};
  for (const [key, value] of Object.entries(metadata)) {
    checkKey(param, key);
    headers[key.toLowerCase()] = headerValue(param, key, value);
  }
  return headers;
}

/**
 * @param {string} param
 * @param {string} key
 */
function checkKey(param, key) {
  if (!KEY.test(key)) {
    throw new Error(`${param}: key ${JSON.stringify(key)}: keys are letters, digits, '_', '-' and '.'`);
  }
  const lower = key.toLowerCase();
  if (lower.startsWith('grpc-') || RESERVED.has(lower)) {
    throw new Error(
      `${param}: key ${JSON.stringify(key)} is reserved by the protocol; remove it or use another name`,
    );
  }
}

/**
 * @param {string} param
 * @param {string} key
 * @param {unknown} value
 * @returns {string}
 */
function headerValue(param, key, value) {
  if (isBinary(key)) {
    const bytes = bytesOf(value);
    if (!bytes) throw new Error(`${param} ${JSON.stringify(key)} value must be binary`);
    return encodeBase64(bytes).replace(/=+$/, '');
  }
  if (typeof value !== 'string') {
    throw new Error(`${param} ${JSON.stringify(key)} value must be a string`);
  }
  if (!VALUE.test(value)) {
    throw new Error(
      `${param}: the value of ${JSON.stringify(key)} has a character that a header cannot carry; ` +
        'use a key that ends in -bin',
    );
  }
  return value;
}

/**
 * The metadata in an answer's headers, without those that carry the status.
 * @param {Record<string, string>} headers names in lower case
 * @param {string[]} omit further names
 * @returns {ReceivedMetadata}
 */
export function metadataOf(headers, omit) {
  /** @type {ReceivedMetadata} */
  const metadata = {};
  for (const [key, value] of Object.entries(headers)) {
    if (key !== STATUS && key !== MESSAGE && key !== DETAILS && !omit.includes(key)) {
      addReceived(metadata, key, value);
    }
  }
  return metadata;
}

/**
 * Adds one line. A `-bin` line may hold several values; text that is not base64 stays as it came.
 * @param {ReceivedMetadata} metadata
 * @param {string} key in lower case
 * @param {string} value
 */
export function addReceived(metadata, key, value) {
  if (!metadata[key]) metadata[key] = [];
  const values = metadata[key];
  if (!isBinary(key)) {
    values.push(value);
    return;
  }
  for (const part of value.split(',')) {
    const text = part.trim();
    const bytes = decodeBinary(text);
    values.push(bytes ? latin1(bytes) : text);
  }
}

/**
 * Base64 with and without padding; null for anything else.
 * @param {string} text
 * @returns {Uint8Array | null}
 */
export function decodeBinary(text) {
  const unpadded = text.replace(/=+$/, '');
  const characters = new Uint8Array(unpadded.length);
  for (let at = 0; at < unpadded.length; at++) {
    characters[at] = Math.min(unpadded.charCodeAt(at), 0xff);
  }
  try {
    return decodeBase64(characters);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @returns {boolean}
 */
function isBinary(key) {
  return key.toLowerCase().endsWith(BINARY_SUFFIX);
}
