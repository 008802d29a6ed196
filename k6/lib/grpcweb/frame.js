// Frames: a byte of flags, four bytes of length, the payload.

import { Fault } from './fault.js';
import { StatusInternal, StatusResourceExhausted } from './status.js';

const PREFIX_BYTES = 5;
export const COMPRESSED = 0x01;
const TRAILER = 0x80;

/**
 * @typedef {object} Frame
 * @property {boolean} compressed
 * @property {boolean} trailer
 * @property {Uint8Array} payload
 */

/**
 * @param {number} flags
 * @param {Uint8Array} payload
 * @returns {Uint8Array<ArrayBuffer>} alone in its buffer
 */
export function frame(flags, payload) {
  const framed = new Uint8Array(PREFIX_BYTES + payload.length);
  framed[0] = flags;
  new DataView(framed.buffer).setUint32(1, payload.length);
  framed.set(payload, PREFIX_BYTES);
  return framed;
}

/**
 * Cuts a body into frames, one for each call.
 * @param {Uint8Array} body
 * @param {number} limit in bytes of payload
 * @returns {() => Frame | null} null at the end of the body
 */
export function frames(body, limit) {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  return () => {
    const left = body.length - at;
    if (left === 0) return null;
    if (left < PREFIX_BYTES) throw cut(left, PREFIX_BYTES);
    const flags = body[at];
    if ((flags & ~(COMPRESSED | TRAILER)) !== 0) {
      throw new Fault(
        StatusInternal,
        `frame flags 0x${flags.toString(16)} have reserved bits set; is the body gRPC-Web?`,
      );
    }
    const length = view.getUint32(at + 1);
    if (length > limit) {
      throw new Fault(
        StatusResourceExhausted,
        `frame of ${length} bytes is larger than the receive limit of ${limit} bytes`,
      );
    }
    if (left < PREFIX_BYTES + length) throw cut(left, PREFIX_BYTES + length);
    const payload = body.subarray(at + PREFIX_BYTES, at + PREFIX_BYTES + length);
    at += PREFIX_BYTES + length;
    return { compressed: (flags & COMPRESSED) !== 0, trailer: (flags & TRAILER) !== 0, payload };
  };
}

/**
 * @param {number} arrived
 * @param {number} size
 */
function cut(arrived, size) {
  return new Fault(
    StatusInternal,
    `body ended inside a frame: ${arrived} of ${size} bytes arrived`,
  );
}
