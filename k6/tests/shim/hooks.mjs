// Resolves k6's modules to the stand-ins in this folder.

const STAND_INS = new Map([
  ['k6/http', './http.mjs'],
  ['k6/metrics', './metrics.mjs'],
]);

export function resolve(specifier, context, next) {
  const file = STAND_INS.get(specifier);
  return file ? next(new URL(file, import.meta.url).href, context) : next(specifier, context);
}
