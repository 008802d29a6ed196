import encoding, { b64encode, b64decode } from 'k6/encoding';
export default function () {
  console.log(b64encode('hä?>'), b64encode(new Uint8Array([251, 255]).buffer, 'rawurl'), encoding.b64encode('a', 'url'));
  console.log(b64decode('aMOkPz4=', 'std', 's'), new Uint8Array(b64decode('-_8', 'rawurl')).join());
  try { b64decode('!'); } catch (error) { console.log('refused'); }
}
