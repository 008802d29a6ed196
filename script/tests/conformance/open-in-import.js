import { above, beside } from './lib/opens.js';
console.log('beside', beside === open('./lib/words.txt'), 'above', above() === beside);
export default function () {}
