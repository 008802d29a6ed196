// Assertions, worded for whoever reads the report.

// Objects compare without the order of their keys.
function canonical(value) {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, canonical(value[key])]));
}

/** Throws unless both are the same in JSON. */
export function same(actual, wanted, what) {
  const [is, should] = [actual, wanted].map((value) => JSON.stringify(canonical(value)) ?? 'undefined');
  if (is !== should) throw new Error(`${what} is ${is}, not ${should}`);
}

/** Throws unless the condition holds. */
export function holds(condition, what) {
  if (!condition) throw new Error(what);
}
