function deep() {
  throw new TypeError('bad start');
}
deep();
export default function () {}
