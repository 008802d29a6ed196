import grpc from 'k6/net/grpc';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  const echo = `${EVERY}/Echo`;
  throws('not connected', 'no gRPC connection, you must call connect first',
    () => client.invoke(echo, {}));
  throws('health without connection', 'no gRPC connection', () => client.healthCheck());
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  throws('no method', 'method to invoke cannot be empty', () => client.invoke('', {}));
  throws('unknown method', 'method "/every.kind.v1.EchoService/Ech" not found in file descriptors',
    () => client.invoke(`${EVERY}/Ech`, {}));
  throws('no request', 'request cannot be nil', () => client.invoke(echo));
  throws('null request', 'null', () => client.invoke(echo, null));
  throws('unknown field', 'unable to serialise request object to protocol buffer',
    () => client.invoke(echo, { unknown: 1 }));
  throws('wrong type', 'unable to serialise request object to protocol buffer',
    () => client.invoke(echo, { int32Value: 'x' }));
  throws('bad enum', 'unable to serialise request object to protocol buffer',
    () => client.invoke(echo, { colour: 'GREEN' }));
  throws('bytes that are no base64', 'unable to serialise request object to protocol buffer',
    () => client.invoke(echo, { bytesValue: new Uint8Array(2) }));
  throws('cyclic', 'unable to normalize number strings', () => {
    const request = {};
    request.nested = request;
    client.invoke(echo, request);
  });
  throws('BigInt', 'unable to serialise request object', () => client.invoke(echo, { int64Value: 1n }));
  throws('a getter', 'thrown by the script',
    () => client.invoke(echo, { get int32Value() { throw new Error('thrown by the script'); } }));
  const params = "invalid GRPC's client.invoke() parameters: ";
  throws('unknown param', `${params}unknown param: "headers"`, () => client.invoke(echo, {}, { headers: {} }));
  throws('authority is no param', `${params}unknown param`, () => client.invoke(echo, {}, { authority: 'x' }));
  throws('metadata', `${params}metadata`, () => client.invoke(echo, {}, { metadata: 1 }));
  throws('metadata value', '"a" must be a string', () => client.invoke(echo, {}, { metadata: { a: 1 } }));
  throws('binary metadata', '"a-bin" value must be binary',
    () => client.invoke(echo, {}, { metadata: { 'a-bin': 'text' } }));
  throws('timeout', `${params}invalid timeout value`, () => client.invoke(echo, {}, { timeout: 'soon' }));
  throws('tags', 'metric tags', () => client.invoke(echo, {}, { tags: { a: {} } }));
  const connect = 'invalid grpc.connect() parameters: ';
  for (const [name, value, text] of [
    ['name', 1, 'unknown connect param: "name"'],
    ['plaintext', 'yes', 'invalid plaintext value'],
    ['reflect', 1, 'invalid reflect value'],
    ['timeout', {}, 'invalid timeout value'],
    ['maxReceiveSize', -1, 'invalid maxReceiveSize value'],
    ['maxSendSize', 'x', 'invalid maxSendSize value'],
    ['tls', 1, 'invalid tls value'],
    ['tls', { cert: 1 }, 'invalid tls cert value'],
    ['authority', 1, 'invalid authority value'],
    ['reflectMetadata', { a: 1 }, '"a" must be a string'],
  ]) {
    throws(`connect with ${name} ${JSON.stringify(value)}`, `${connect}${text}`.replace(': "a"', ': metadata value "a"'),
      () => client.connect(__ENV.ODD_ADDR, { [name]: value }));
  }
  throws('an address with scheme', 'without a scheme', () => client.connect('http://x:1', { plaintext: true }));
  throws('an address without port', 'without a scheme', () => client.connect('localhost', { plaintext: true }));
  throws('TLS with a server that has none', 'authentication handshake failed', () => client.connect(__ENV.ODD_ADDR));
  throws('nobody there', 'connection error', () => client.connect('127.0.0.1:1', { plaintext: true }));
  is('still connected', client.invoke(echo, {}).status, 0);
}
