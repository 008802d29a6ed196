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
const STATUS = 'grpc-status:';
const STATUS_WORDS = [0, 4, 8].map((at) => word(STATUS, at));
const SPACE = 0x20;
const ZERO = 0x30;
const CARRIAGE_RETURN = 0x0d;

/**
 * Four characters as the number that a DataView reads.
 * @param {string} text ASCII
 * @param {number} at
 * @returns {number}
 */
function word(text, at) {
  return new DataView(new Uint8Array(ascii(text.slice(at, at + 4))).buffer).getUint32(0);
}

/**
 * Whether a binary answer is one message and a trailer that begins with status 0.
 * @param {import('k6/http').RefinedResponse<'binary'>} response
 * @returns {boolean}
 */
export function isOk(response) {
  if (response.status !== 200 || !response.body) return false;
  const body = new DataView(response.body);
  const end = body.byteLength;
  if (end < 10 || body.getUint8(0) !== 0) return false;
  const trailer = 5 + body.getUint32(1);
  const status = trailer + 5;
  if (end < status + STATUS.length + 1 || body.getUint8(trailer) !== TRAILER) return false;
  // Words, as a loop over bytes is most of what the script costs.
  if (
    body.getUint32(status) !== STATUS_WORDS[0] ||
    body.getUint32(status + 4) !== STATUS_WORDS[1] ||
    body.getUint32(status + 8) !== STATUS_WORDS[2]
  ) {
    return false;
  }
  let at = status + STATUS.length;
  if (body.getUint8(at) === SPACE) at += 1;
  if (at === end || body.getUint8(at) !== ZERO) return false;
  return at + 1 === end || body.getUint8(at + 1) === CARRIAGE_RETURN;
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
