const text = open('./lib/words.txt');
const bytes = open('./lib/words.txt', 'b');
export default function () {
  console.log(text.trim(), bytes.byteLength);
  try { open('./lib/words.txt'); } catch (error) { console.log('refused:', error.message.includes('init code')); }
}
