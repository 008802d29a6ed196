import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true, maxReceiveSize: 100, maxSendSize: 50 });
  const echo = (request, params) => client.invoke(`${EVERY}/Echo`, request, params);
  const sent = echo({ stringValue: 'x'.repeat(60) });
  is('too large to send', [sent.status, sent.error.message],
    [8, 'trying to send message larger than max (62 vs. 50)']);
  const received = echo({}, { metadata: { 'x-do': 'large:200' } });
  is('too large to receive', [received.status, received.error.message],
    [8, 'grpc: received message larger than max (203 vs. 100)']);
  client.connect(__ENV.ODD_ADDR, { plaintext: true, maxReceiveSize: 20000000 });
  is('large messages', echo({ stringValue: 'y'.repeat(5000000) }).message.stringValue.length, 5000000);
  const late = echo({}, { timeout: 30, metadata: { 'x-do': 'hang' } });
  is('late', [late.status, late.error.message, late.message.int32Value],
    [grpc.StatusDeadlineExceeded, 'context deadline exceeded', 0]);
  is('no time at all', echo({}, { timeout: 0 }).status, grpc.StatusDeadlineExceeded);
  is('then it works again', echo({ int32Value: 3 }).message.int32Value, 3);
}
