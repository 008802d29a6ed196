import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true, authority: 'shop.example:80' });
  const metadata = { 'x-do': 'headers', 'X-Own': 'a b', 'data-bin': new Uint8Array([1, 65, 66]) };
  const { headers, trailers } = client.invoke(`${EVERY}/Echo`, {}, { metadata });
  is('own', headers['echo-x-own'], ['a b']);
  is('binary', headers['echo-data-bin'], ['\u0001AB']);
  is('content type', headers['echo-content-type'], ['application/grpc']);
  is('te', headers['echo-te'], ['trailers']);
  is('agent', headers['echo-user-agent'][0].startsWith('bookstore-bench/'), true);
  is('trailers', trailers, { 'x-trailer': ['a', 'b'] });
  const seen = (timeout) => client.invoke(`${EVERY}/Echo`, {}, {
    metadata: { 'x-do': 'timeout' }, ...(timeout ? { timeout } : {}) }).headers['echo-timeout'];
  is('an own timeout is told', seen('90s'), ['90000000u']);
  is('the default is not', seen(), ['none']);
  const discarded = client.invoke(`${EVERY}/Echo`, { int32Value: 1 }, { discardResponseMessage: true });
  is('discarded', [discarded.message, discarded.status], [null, 0]);
}
