import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';

export const options = { iterations: 1, thresholds: { checks: ['rate==1'] }, insecureSkipTLSVerify: true, tlsVersion: 'tls1.2' };
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');

export default function () {
  for (const name of ['GRPC_UNKNOWN_URL', 'GRPC_URL']) {
    is(name, client.connect(__ENV[name].replace('https://localhost', '127.0.0.1')), true);
    is(`${name} answers`, client.invoke(`${EVERY}/Echo`, {}).status, grpc.StatusOK);
  }
  const stream = new grpc.Stream(client, `${EVERY}/Chat`);
  stream.on('data', (message) => is('chat', message.stringValue, 'a'));
  stream.write({ stringValue: 'a' });
  stream.end();
}
