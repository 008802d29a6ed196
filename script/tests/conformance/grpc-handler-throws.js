import grpc from 'k6/net/grpc';
import { EVERY } from './lib/expect.js';

export const options = { iterations: 2 };
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  if (__ITER === 0) client.connect(__ENV.ODD_ADDR, { plaintext: true });
  const stream = new grpc.Stream(client, `${EVERY}/Chat`);
  stream.on('data', () => { throw new Error(`thrown in iteration ${__ITER}`); });
  stream.write({});
}
