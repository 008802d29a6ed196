// Compression of single messages.

import { Gunzip, gzipSync } from '../vendor/protobuf.js';
import { Fault } from './fault.js';
import { StatusInternal, StatusResourceExhausted } from './status.js';

export const GZIP = 'gzip';

/** What is inflated at a time: at most about a thousand times as much may come out. */
const PIECE_BYTES = 4096;

/**
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function deflate(bytes) {
  return gzipSync(bytes, { mtime: 0 });
}

/**
 * Inflates a compressed payload; one of no bytes is an empty message.
 * @param {Uint8Array} payload
 * @param {string | undefined} encoding the answer's grpc-encoding
 * @param {number} limit in bytes
 * @returns {Uint8Array}
 */
export function inflate(payload, encoding, limit) {
  if (encoding === undefined || encoding.toLowerCase() !== GZIP) {
    const named = encoding === undefined ? 'no grpc-encoding' : `grpc-encoding ${JSON.stringify(encoding)}`;
    throw new Fault(
      StatusInternal,
      `a message is compressed, and the answer has ${named}; only gzip is understood`,
    );
  }
  if (payload.length === 0) return payload;
  /** @type {Uint8Array[]} */
  const pieces = [];
  let size = 0;
  let members = 1;
  const gunzip = new Gunzip((piece) => {
    size += piece.length;
    if (size > limit) {
      throw new Fault(
        StatusResourceExhausted,
        `a message is larger than the receive limit of ${limit} bytes when inflated`,
      );
    }
    pieces.push(piece);
  });
  gunzip.onmember = () => {
    members += 1;
  };
  try {
    for (let at = 0; at < payload.length; at += PIECE_BYTES) {
      const end = Math.min(at + PIECE_BYTES, payload.length);
      gunzip.push(payload.slice(at, end), end === payload.length);
    }
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw damaged(String(error));
  }
  checkSize(payload, size, members);
  return joined(pieces, size);
}

/**
 * A gzip member ends with the length of what is in it.
 * @param {Uint8Array} payload
 * @param {number} size
 * @param {number} members
 */
function checkSize(payload, size, members) {
  if (payload.length < 18) throw damaged(`${payload.length} bytes are no gzip member`);
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const told = view.getUint32(payload.length - 4, true);
  if (members === 1 && told !== size) throw damaged(`it holds ${size} bytes and says ${told}`);
}

/** @param {string} what */
function damaged(what) {
  return new Fault(StatusInternal, `a message's gzip is damaged: ${what}`);
}

/**
 * @param {Uint8Array[]} pieces
 * @param {number} size
 */
function joined(pieces, size) {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
