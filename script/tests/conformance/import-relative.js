// Specifiers are relative to the importing file.
import { here, outer, inner } from './lib/outer.js';
export { outer as default } from './lib/outer.js';
console.log(outer(), inner(), import.meta.resolve('./lib/x.js').endsWith('/conformance/lib/x.js'), here().endsWith('/lib/outer.js'));
