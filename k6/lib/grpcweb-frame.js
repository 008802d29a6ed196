// gRPC-Web by hand over k6/http, as the article does: a frame is a flag byte, a 4-byte length and
// the message; the last frame of an answer has flag 0x80 and holds the trailers as text.

/** Headers of a binary gRPC-Web request, and a binary answer. */
export const PARAMS = /** @type {const} */ ({
  headers: { 'Content-Type': 'application/grpc-web+proto', 'X-Grpc-Web': '1' },
  responseType: 'binary',
});

/**
 * @param {number[]} message
 * @returns {ArrayBuffer}
 */
export function frame(message) {
  const framed = new Uint8Array(5 + message.length);
  new DataView(framed.buffer).setUint32(1, message.length);
  framed.set(message, 5);
  return framed.buffer;
}

/**
 * @param {number} value not negative
 * @returns {number[]}
 */
export function varint(value) {
  const bytes = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return bytes;
}

/**
 * A length-delimited field.
 * @param {number} field
 * @param {number[]} content
 * @returns {number[]}
 */
export function bytesField(field, content) {
  return [(field << 3) | 2, ...varint(content.length), ...content];
}

/**
 * A varint field; absent when 0, as proto3 has it.
 * @param {number} field
 * @param {number} value
 * @returns {number[]}
 */
export function intField(field, value) {
  return value === 0 ? [] : [field << 3, ...varint(value)];
}

/**
 * @param {string} text ASCII
 * @returns {number[]}
 */
export function ascii(text) {
  return Array.from(text, (character) => character.charCodeAt(0));
}

const TRAILER = 0x80;
const STATUS = ascii('grpc-status:');
const SPACE = 0x20;
const ZERO = 0x30;
const CARRIAGE_RETURN = 0x0d;

/**
 * Whether a binary answer is one message and a trailer that begins with status 0.
 * @param {import('k6/http').RefinedResponse<'binary'>} response
 * @returns {boolean}
 */
export function isOk(response) {
  if (response.status !== 200 || !response.body) return false;
  const body = new Uint8Array(response.body);
  if (body.length < 10 || body[0] !== 0) return false;
  const trailer = 5 + ((body[1] << 24) | (body[2] << 16) | (body[3] << 8) | body[4]);
  if (body[trailer] !== TRAILER) return false;
  let at = trailer + 5;
  for (const byte of STATUS) {
    if (body[at] !== byte) return false;
    at += 1;
  }
  if (body[at] === SPACE) at += 1;
  return body[at] === ZERO && (body[at + 1] === CARRIAGE_RETURN || at + 1 === body.length);
}

/**
 * The number in field 1 of the message of a right answer; 0 when the message begins with another field.
 * @param {import('k6/http').RefinedResponse<'binary'>} response
 * @returns {number}
 */
export function firstInt(response) {
  const body = new Uint8Array(/** @type {ArrayBuffer} */ (response.body));
  if (body[5] !== 1 << 3) return 0;
  let value = 0;
  let scale = 1;
  for (let at = 6; at < body.length; at += 1) {
    value += (body[at] & 127) * scale;
    if (body[at] < 128) break;
    scale *= 128;
  }
  return value;
}
