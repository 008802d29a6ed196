import grpc from 'k6/net/grpc';
import { EVERY } from './lib/expect.js';

export const options = { iterations: 1 };
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  const stream = new grpc.Stream(client, `${EVERY}/Chat`, { metadata: { 'x-do': 'status:3' } });
  stream.on('end', () => console.log('ended'));
  stream.on('odd', () => {});
  stream.write(null);
  stream.end();
}
