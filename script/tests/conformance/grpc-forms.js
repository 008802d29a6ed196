import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  const echo = (request) => client.invoke(`${EVERY}/EchoForms`, request).message;
  is('struct', echo({ struct: { a: [1, 'x', null, { b: true }] } }).struct, { a: [1, 'x', null, { b: true }] });
  is('value', echo({ value: 'text' }).value, 'text');
  is('null value', echo({ value: null }).value, null);
  is('list', echo({ list: [1, [2]] }).list, [1, [2]]);
  is('mask', echo({ mask: 'a,bC' }).mask, 'a,bC');
  is('empty', echo({ empty: {} }).empty, {});
  is('structs', echo({ structs: [{ a: 1 }, {}] }).structs, [{ a: 1 }, {}]);
  is('any', echo({ any: { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '3s' } }).any,
    { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '3s' });
  is('null enum', echo({}).null, null);
  is('wrapper as request', client.invoke(`${EVERY}/EchoWrapper`, 'x', { discardResponseMessage: true }).status, 0);
  is('wrapper as response', client.invoke(`${EVERY}/EchoWrapper`, 'x').message, 'x');
  is('empty as request', client.invoke(`${EVERY}/Ping`, {}).message, {});
}
