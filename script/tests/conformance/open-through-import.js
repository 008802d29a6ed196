import { opened, read } from './lib/deeper/open.js';

const words = ['./lib/words.txt'].map((path) => read(path).trim());
export default function () {
  console.log('at its top level:', opened.trim());
  console.log('called from here:', words[0]);
}
