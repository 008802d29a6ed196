// Bytes and text.

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * @param {Uint8Array} bytes
 * @returns {string} with U+FFFD for what is not UTF-8
 */
export function decodeUtf8(bytes) {
  return decoder.decode(bytes);
}

/**
 * @param {string} text
 * @returns {Uint8Array}
 */
export function encodeUtf8(text) {
  return encoder.encode(text);
}

/**
 * One character for each byte.
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function latin1(bytes) {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/**
 * The bytes of a view or a buffer; undefined for anything else.
 * @param {unknown} value
 * @returns {Uint8Array | undefined}
 */
export function bytesOf(value) {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  return undefined;
}

/**
 * A buffer of exactly these bytes. A view's own buffer may be larger, and k6 sends all of it.
 * @param {Uint8Array} bytes
 * @returns {ArrayBuffer}
 */
export function exactBuffer(bytes) {
  const copy = new Uint8Array(bytes.length);
  copy.set(bytes);
  return copy.buffer;
}
