// Base64: `-bin` metadata and the bodies of text mode.

import { util } from '../vendor/protobuf.js';
import { Fault } from './fault.js';
import { StatusInternal } from './status.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 0x3d;
const ILLEGAL = 0xff;

const VALUES = new Uint8Array(256).fill(ILLEGAL);
for (let value = 0; value < ALPHABET.length; value++) {
  VALUES[ALPHABET.charCodeAt(value)] = value;
}

/**
 * @param {Uint8Array} bytes
 * @returns {string} with padding
 */
export function encodeBase64(bytes) {
  return util.base64.encode(bytes, 0, bytes.length);
}

/**
 * Decodes a run of base64 pieces, each perhaps padded: whole groups of four characters, so padding
 * may appear in the middle. The last group may lack its padding.
 * @param {Uint8Array} characters
 * @returns {Uint8Array}
 */
export function decodeBase64(characters) {
  const bytes = new Uint8Array(Math.ceil(characters.length / 4) * 3);
  let length = 0;
  for (let at = 0; at < characters.length; at += 4) {
    let size = Math.min(4, characters.length - at);
    while (size > 2 && characters[at + size - 1] === PADDING) size -= 1;
    let bits = 0;
    for (let nth = 0; nth < 4; nth++) {
      const value = nth < size ? VALUES[characters[at + nth]] : 0;
      if (value === ILLEGAL) throw illegal(characters, at);
      bits = (bits << 6) | value;
    }
    if (size < 2) throw illegal(characters, at);
    bytes[length++] = bits >> 16;
    if (size > 2) bytes[length++] = bits >> 8;
    if (size > 3) bytes[length++] = bits;
  }
  return bytes.subarray(0, length);
}

/**
 * @param {Uint8Array} characters
 * @param {number} at
 */
function illegal(characters, at) {
  const group = String.fromCharCode(...characters.subarray(at, at + 4));
  return new Fault(StatusInternal, `base64 has the illegal group ${JSON.stringify(group)}`);
}
