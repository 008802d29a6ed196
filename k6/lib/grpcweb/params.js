// Parameters of connect and of calls.

import { GZIP } from './gzip.js';
import { parseDuration } from './duration.js';
import { headersOf } from './metadata.js';

/** @typedef {import('./duration.js').Duration} Duration */

/**
 * @typedef {object} Connection
 * @property {string} base what stands before a method's path in a URL
 * @property {string} address
 * @property {string} authority empty for the address
 * @property {boolean} text
 * @property {Record<string, string>} headers of every call
 * @property {boolean} gzip
 * @property {number} maxReceiveBytes
 * @property {number} maxSendBytes
 * @property {CallParams | null} reflection how to ask for message types, if at all
 * @property {Set<() => void>} atClose called when the client is closed
 */

/**
 * @typedef {object} CallParams
 * @property {Record<string, string>} headers
 * @property {Record<string, string>} tags
 * @property {Duration} timeout zero for none
 * @property {'json' | 'binary' | 'none'} responseType
 */

const CONNECT_TIMEOUT = { ms: 60000, ns: 0 };
const DEFAULT_RECEIVE_BYTES = 4 * 1024 * 1024;
const MAX_FRAME_BYTES = 2 ** 32 - 1;

/** Why stock k6 cannot do what the extension can. */
const NEEDS_EXTENSION = new Map([
  ['tls', "set k6's options tlsAuth and insecureSkipTLSVerify"],
  ['connectionSharing', 'each virtual user of k6/http has connections of its own'],
]);

/**
 * @param {unknown} address
 * @param {unknown} params
 * @returns {Connection}
 */
export function readConnection(address, params) {
  if (typeof address !== 'string' || !/^[^\s/?#@]+$/.test(address)) {
    throw new Error(`address ${JSON.stringify(address)} cannot be used; write host:port, without a scheme or a path`);
  }
  const connection = {
    plaintext: false,
    timeout: CONNECT_TIMEOUT,
    reflect: false,
    reflectMetadata: {},
    basePath: '',
    authority: '',
    text: false,
    headers: {},
    gzip: false,
    maxReceiveBytes: DEFAULT_RECEIVE_BYTES,
    maxSendBytes: MAX_FRAME_BYTES,
  };
  for (const [key, value] of Object.entries(params ?? {})) {
    readConnectParam(connection, key, value);
  }
  const { plaintext, basePath, timeout, reflect, reflectMetadata, ...rest } = connection;
  const reflection = reflect ? { ...readCallParams(null, timeout), headers: reflectMetadata } : null;
  const base = `${plaintext ? 'http' : 'https'}://${address}${basePath}`;
  return { ...rest, base, address, reflection, atClose: new Set() };
}

/**
 * @param {{ plaintext: boolean, timeout: Duration, reflect: boolean, reflectMetadata: Record<string, string>,
 *   basePath: string, authority: string, text: boolean, gzip: boolean, headers: Record<string, string>,
 *   maxReceiveBytes: number, maxSendBytes: number }} connection
 * @param {string} key
 * @param {unknown} value
 */
function readConnectParam(connection, key, value) {
  switch (key) {
    case 'plaintext':
    case 'reflect':
    case 'text':
      connection[key] = boolean(key, value);
      break;
    case 'timeout':
      connection.timeout = parseDuration(key, value);
      break;
    case 'maxReceiveSize':
      connection.maxReceiveBytes = size(key, value) || DEFAULT_RECEIVE_BYTES;
      break;
    case 'maxSendSize':
      connection.maxSendBytes = size(key, value) || MAX_FRAME_BYTES;
      break;
    case 'authority':
      connection.authority = text(key, value);
      break;
    case 'basePath':
      connection.basePath = path(text(key, value));
      break;
    case 'headers':
    case 'reflectMetadata':
      connection[key] = headersOf(key, value);
      break;
    case 'httpVersion':
      oneOf(key, value, ['auto'], 'k6/http speaks HTTP/2 where TLS negotiates it, else HTTP/1.1');
      break;
    case 'compression':
      oneOf(key, value, [GZIP]);
      connection.gzip = true;
      break;
    default:
      refuse(key, value);
  }
}

/**
 * @param {string} key
 * @param {unknown} value
 */
function refuse(key, value) {
  const instead = NEEDS_EXTENSION.get(key);
  if (instead === undefined) throw new Error(`unknown connect param: ${JSON.stringify(key)}`);
  if (value !== false && value !== undefined) {
    throw new Error(
      `the connect param ${JSON.stringify(key)} needs the extension k6/x/grpcweb; here, ${instead}`,
    );
  }
}

/**
 * @param {unknown} params
 * @param {Duration} timeout when the script names none
 * @returns {CallParams}
 */
export function readCallParams(params, timeout) {
  /** @type {CallParams} */
  const read = { headers: {}, tags: {}, timeout, responseType: 'json' };
  for (const [key, value] of Object.entries(params ?? {})) {
    switch (key) {
      case 'metadata':
        read.headers = headersOf(key, value);
        break;
      case 'tags':
        read.tags = tags(value);
        break;
      case 'timeout':
        read.timeout = parseDuration(key, value);
        break;
      case 'discardResponseMessage':
        if (value) read.responseType = 'none';
        break;
      case 'responseType':
        read.responseType = oneOf(key, value, /** @type {const} */ (['json', 'binary', 'none']));
        break;
      default:
        throw new Error(`unknown param: ${JSON.stringify(key)}`);
    }
  }
  return read;
}

/**
 * @param {unknown} value
 * @returns {Record<string, string>}
 */
function tags(value) {
  /** @type {Record<string, string>} */
  const read = {};
  for (const [key, tag] of Object.entries(value ?? {})) {
    if (!['string', 'number', 'boolean'].includes(typeof tag)) {
      throw new Error(`metric tags: the tag ${JSON.stringify(key)} must be a string, a number or a boolean`);
    }
    read[key] = String(tag);
  }
  return read;
}

/**
 * @param {string} text
 * @returns {string} with a slash before, and none behind
 */
function path(text) {
  const bare = text.replace(/^\/+|\/+$/g, '');
  return bare === '' ? '' : `/${bare}`;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {boolean}
 */
function boolean(key, value) {
  if (typeof value !== 'boolean') throw invalid(key, value, 'boolean');
  return value;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {string}
 */
function text(key, value) {
  if (typeof value !== 'string') throw invalid(key, value, 'a string');
  return value;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @returns {number}
 */
function size(key, value) {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalid(key, value, 'a positive integer');
  }
  return value;
}

/**
 * @template {string} T
 * @param {string} key
 * @param {unknown} value
 * @param {readonly T[]} choices
 * @param {string} [why]
 * @returns {T}
 */
function oneOf(key, value, choices, why) {
  const choice = choices.find((choice) => choice === value);
  if (choice === undefined) {
    const because = why ? `: ${why}` : '';
    throw invalid(key, value, `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}${because}`);
  }
  return choice;
}

/**
 * @param {string} key
 * @param {unknown} value
 * @param {string} wanted
 */
function invalid(key, value, wanted) {
  return new Error(`invalid ${key} value: '${String(value)}', it needs to be ${wanted}`);
}
