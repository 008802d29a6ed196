import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default async function () {
  const echo = (request, params) => client.asyncInvoke(`${EVERY}/Echo`, request, params);
  const reason = (promise) => promise.then(() => 'no', (error) => error.message);
  is('rejected', await reason(echo({})), 'no gRPC connection, you must call connect first');
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  const numbers = [1, 2, 3, 4, 5];
  const all = await Promise.all(numbers.map((int32Value) => echo({ int32Value })));
  is('side by side', all.map((response) => response.message.int32Value), numbers);
  is('an error is no rejection', (await echo({}, { metadata: { 'x-do': 'status:7' } })).status, 7);
  is('a bad request is', (await reason(echo({ no: 1 }))).startsWith('unable to serialise'), true);
  is('no method is', await reason(client.asyncInvoke('')), 'method to invoke cannot be empty');
  const slow = echo({}, { timeout: 40, metadata: { 'x-do': 'hang' } });
  is('others meanwhile', client.invoke(`${EVERY}/Echo`, { int32Value: 9 }).message.int32Value, 9);
  is('the slow one', (await slow).status, 4);
}
