// Messages and scripts' values: protobuf's JSON mapping with unset fields present, as k6 has it.

import { Enum, MapField, protojson, Type, util } from '../vendor/protobuf.js';
import { encodeBase64 } from './base64.js';
import { bytesOf } from './bytes.js';

/** @typedef {import('protobufjs').Field} Field */
/** @typedef {(name: string) => Type | undefined} FindType */

const LONG = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64']);
const UNSIGNED = new Set(['uint64', 'fixed64']);

/** Types whose JSON form is not an object of their fields. */
const SPECIAL = new Set(
  [
    'Duration', 'Timestamp', 'FieldMask', 'Struct', 'Value', 'ListValue', 'DoubleValue', 'FloatValue',
    'Int64Value', 'UInt64Value', 'Int32Value', 'UInt32Value', 'BoolValue', 'StringValue', 'BytesValue',
  ].map((name) => `.google.protobuf.${name}`),
);

/**
 * @param {Type} type
 * @param {any} message decoded
 * @param {FindType} find finds what is inside an Any
 * @returns {any}
 */
export function toObject(type, message, find) {
  if (type.fullName === '.google.protobuf.Any') return anyToObject(type, message, find);
  if (SPECIAL.has(type.fullName)) return protojson.toJson(type, message);
  /** @type {Record<string, any>} */
  const object = {};
  for (const field of type.fieldsArray) {
    const value = own(message, field.name);
    const member = value === undefined || value === null ? unset(field) : valueOf(field, value, find);
    if (member !== undefined) setMember(object, nameOf(field), member);
  }
  return object;
}

/**
 * A member, but not a default of the message's type.
 * @param {object} object
 * @param {string} name
 */
function own(object, name) {
  const property = Object.getOwnPropertyDescriptor(object, name);
  return property?.value;
}

/**
 * @param {Field} field
 * @returns {any} undefined when JSON leaves it out
 */
function unset(field) {
  if (field.declaringField) return undefined;
  if (field.map) return {};
  if (field.repeated) return [];
  if (field.partOf) return undefined;
  if (field.resolvedType instanceof Type || field.hasPresence) return null;
  return scalarOf(field, field.typeDefault);
}

/**
 * @param {Field} field
 * @param {any} value
 * @param {FindType} find
 * @returns {any}
 */
function valueOf(field, value, find) {
  if (field instanceof MapField) return mapOf(field, value, find);
  if (field.repeated) return Array.from(value, (/** @type {any} */ item) => oneOf(field, item, find));
  return oneOf(field, value, find);
}

/**
 * @param {import('protobufjs').MapField} field
 * @param {Record<string, any>} entries
 * @param {FindType} find
 */
function mapOf(field, entries, find) {
  /** @type {Record<string, any>} */
  const object = {};
  for (const [key, value] of Object.entries(entries)) {
    const name = LONG.has(field.keyType)
      ? String(util.longFromHash(key, UNSIGNED.has(field.keyType)))
      : key;
    setMember(object, name, oneOf(field, value, find));
  }
  return object;
}

/**
 * @param {import('protobufjs').FieldBase} field
 * @param {any} value
 * @param {FindType} find
 */
function oneOf(field, value, find) {
  if (field.resolvedType instanceof Type) return toObject(field.resolvedType, value, find);
  return scalarOf(field, value);
}

/**
 * @param {import('protobufjs').FieldBase} field
 * @param {any} value
 */
function scalarOf(field, value) {
  if (field.resolvedType instanceof Enum) {
    if (field.resolvedType.fullName === '.google.protobuf.NullValue') return null;
    return field.resolvedType.valuesById[value] ?? value;
  }
  if (LONG.has(field.type)) return String(value);
  if (field.type === 'bytes') return encodeBase64(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return field.type === 'float' ? shortest(value) : value;
}

/**
 * The shortest number that is the same 32-bit float, as JSON has it: 0.1 and not 0.10000000149011612.
 * @param {number} float
 * @returns {number}
 */
function shortest(float) {
  for (let digits = 6; digits < 9; digits++) {
    const number = Number(float.toPrecision(digits));
    if (Math.fround(number) === float) return number;
  }
  return Number(float.toPrecision(9));
}

/**
 * @param {Type} type
 * @param {any} message
 * @param {FindType} find
 */
function anyToObject(type, message, find) {
  const url = message[type.fieldsById[1].name];
  if (!url) return {};
  const inner = find(url.slice(url.lastIndexOf('/') + 1));
  if (!inner) throw new Error(`no loaded file has the type of the google.protobuf.Any ${url}`);
  return anyMembers(url, inner, message[type.fieldsById[2].name], find);
}

/**
 * The JSON form of an Any.
 * @param {string} url
 * @param {Type} inner
 * @param {Uint8Array} bytes
 * @param {FindType} find
 */
export function anyMembers(url, inner, bytes, find) {
  const content = toObject(inner, inner.decode(bytes), find);
  const special = SPECIAL.has(inner.fullName) || inner.fullName === '.google.protobuf.Any';
  return special ? { '@type': url, value: content } : { '@type': url, ...content };
}

/** @param {Field} field */
function nameOf(field) {
  return field.declaringField ? `[${field.declaringField.fullName.slice(1)}]` : field.jsonName;
}

/**
 * Like an assignment, but for the name `__proto__`, too.
 * @param {Record<string, any>} object
 * @param {string} name
 * @param {any} value
 */
function setMember(object, name, value) {
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
  } else {
    object[name] = value;
  }
}

/**
 * A script's value as JSON has it: bytes become base64, BigInts text, dates ISO text.
 * @param {unknown} value
 * @param {unknown[]} [around] the objects that it is inside of
 * @returns {any}
 */
export function toJson(value, around = []) {
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  const bytes = bytesOf(value);
  if (bytes) return encodeBase64(bytes);
  if (around.includes(value)) throw new Error('the object contains itself');
  const inside = [...around, value];
  if ('toJSON' in value && typeof value.toJSON === 'function') return toJson(value.toJSON(), inside);
  if (Array.isArray(value)) return value.map((item) => toJson(item, inside) ?? null);
  /** @type {Record<string, any>} */
  const object = {};
  for (const [name, member] of Object.entries(value)) {
    const json = toJson(member, inside);
    if (json !== undefined) setMember(object, name, json);
  }
  return object;
}
