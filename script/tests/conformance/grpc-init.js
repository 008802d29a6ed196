import grpc from 'k6/net/grpc';
import { is } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
const texts = [];
for (const call of [
  () => client.connect('127.0.0.1:1'),
  () => client.invoke('a/b', {}),
  () => client.healthCheck(),
  () => new grpc.Stream(client, 'a/b'),
]) {
  try { call(); } catch (error) { texts.push(error.message); }
}
export default function () {
  is('in the init code', texts, [
    'connecting to a gRPC server in the init context is not supported',
    'invoking RPC methods in the init context is not supported',
    'invoking RPC methods in the init context is not supported',
    "invalid GRPC Stream's client: no gRPC connection, you must call connect first",
  ]);
}
