// Times: parameters of scripts, and the header grpc-timeout.

/**
 * A time, split because no number holds years to the nanosecond.
 * @typedef {object} Duration
 * @property {number} ms whole milliseconds
 * @property {number} ns what is left, less than a million
 */

const NS_PER_MS = 1e6;
/** The largest number that the eight digits of a grpc-timeout can show. */
const MAX_DIGITS = 99999999;

/** In nanoseconds. */
const UNITS = /** @type {Record<string, number>} */ ({
  ns: 1,
  us: 1e3,
  'µs': 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
  d: 86400e9,
});

/**
 * Milliseconds, or text with units such as `"1m30s"`.
 * @param {string} param the parameter's name, for errors
 * @param {unknown} value
 * @returns {Duration}
 */
export function parseDuration(param, value) {
  const ms = typeof value === 'string' ? ofText(value) : typeof value === 'number' ? value : NaN;
  if (!Number.isFinite(ms) || ms < 0) {
    throw new Error(
      `invalid ${param} value: ${JSON.stringify(value)}; give milliseconds or text such as "1m30s", not negative`,
    );
  }
  const whole = Math.floor(ms);
  const ns = Math.round((ms - whole) * NS_PER_MS);
  return ns === NS_PER_MS ? { ms: whole + 1, ns: 0 } : { ms: whole, ns };
}

/**
 * @param {string} text
 * @returns {number} milliseconds; NaN for text that is no time
 */
function ofText(text) {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d))+$/.test(text)) return NaN;
  let ns = 0;
  for (const [, number, unit] of text.matchAll(/([\d.]+)([a-zµ]+)/g)) {
    ns += Number(number) * UNITS[unit];
  }
  return ns / NS_PER_MS;
}

/**
 * The header's value in the finest unit that fits, rounded up, so that the server never gives up
 * before the client does.
 * @param {Duration} duration more than 0
 * @returns {string}
 */
export function encodeTimeout({ ms, ns }) {
  const wholeMs = ms + (ns > 0 ? 1 : 0);
  const forms = /** @type {[number, string][]} */ ([
    [ms * NS_PER_MS + ns, 'n'],
    [ms * 1e3 + Math.ceil(ns / 1e3), 'u'],
    [wholeMs, 'm'],
    [Math.ceil(wholeMs / 1e3), 'S'],
    [Math.ceil(wholeMs / 60e3), 'M'],
    [Math.ceil(wholeMs / 3600e3), 'H'],
  ]);
  const [value, unit] = forms.find(([value]) => value <= MAX_DIGITS) ?? [MAX_DIGITS, 'H'];
  return `${value}${unit}`;
}
