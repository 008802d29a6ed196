export default function () {
  const bytes = new TextEncoder().encode('aä€');
  console.log(bytes.length, new TextDecoder().decode(bytes), new TextDecoder('utf-8').decode(bytes.subarray(1, 3)), new TextDecoder().decode(bytes.buffer));
  try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])); } catch (error) { console.log(error.name); }
}
