export default function () {
  const cyclic = { name: 'c' }; cyclic.self = cyclic;
  console.log('text', 1, true, null, undefined);
  console.log({ a: 1, b: 'x', c: [1, 'y', null], d: {}, e: [], f: () => 1, g: undefined });
  console.log(cyclic, new Uint8Array([1, 2, 3]), new Uint8Array([1, 2]).buffer, { d: new Date(0) });
  console.warn('careful'); console.error(new Error('described')); console.debug('hidden');
}
