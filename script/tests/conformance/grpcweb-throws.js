import grpcweb from 'k6/x/grpcweb';
import grpc from 'k6/net/grpc';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const ADDRESS = __ENV.BASE_URL.replace('http://', '');
const client = new grpcweb.Client();
client.load(['../proto'], 'every_kind.proto');
class Own extends grpcweb.Client {}
const own = new Own();

export default function () {
  is('classes', [own instanceof grpcweb.Client, client instanceof grpcweb.Client, new grpc.Client() instanceof grpcweb.Client,
    client.constructor === grpcweb.Client, new grpc.Client().constructor === grpc.Client], [true, true, false, true, true]);
  client.connect(ADDRESS, { plaintext: true });
  const echo = `${EVERY}/Echo`;
  throws('client stream', 'streams its requests, which gRPC-Web cannot carry', () => client.invoke(`${EVERY}/Collect`, {}));
  throws('bidirectional stream', "invalid GRPC Stream's method: method has another kind of streaming",
    () => new grpcweb.Stream(client, `${EVERY}/Chat`));
  throws('no client', 'empty gRPC client', () => new grpcweb.Stream());
  throws('another client', 'not a gRPC client', () => new grpcweb.Stream(new grpc.Client(), echo));
  throws('the other way', 'not a gRPC client', () => new grpc.Stream(client, echo));
  throws('not a message', 'unable to serialise request object to protocol buffer', () => client.invoke(echo, { nosuch: 1 }));
  const params = "invalid GRPC's client.invoke() parameters: ";
  for (const [given, text] of [
    [{ metadata: { 'Grpc-Timeout': '1S' } }, 'metadata key "Grpc-Timeout" is reserved by the protocol'],
    [{ metadata: { 'x-t': 'é' } }, 'use a key that ends in -bin'],
    [{ metadata: { 'two words': '' } }, 'two words'],
    [{ responseType: 'xml' }, 'invalid responseType value'],
    [{ headers: {} }, 'unknown param: "headers"'],
  ]) {
    throws(JSON.stringify(given), params, () => client.invoke(echo, {}, given));
    throws(JSON.stringify(given), text, () => client.invoke(echo, {}, given));
  }
  for (const [given, text] of [
    [{ text: 'yes' }, 'invalid text value'],
    [{ basePath: 1 }, 'invalid basePath value'],
    [{ basePath: '/a?b' }, 'invalid basePath value'],
    [{ headers: { te: 'x' } }, '"te" is reserved'],
    [{ headers: 1 }, 'headers must be an object'],
    [{ httpVersion: '3' }, 'invalid httpVersion value'],
    [{ compression: 'br' }, 'invalid compression value'],
    [{ connectionSharing: 5 }, 'invalid connectionSharing value'],
    [{ connectionSharing: true }, 'connectionSharing is not built into this runner'],
    [{ timeout: 0 }, 'invalid timeout value'],
    [{ nosuch: 1 }, 'unknown connect param: "nosuch"'],
  ]) {
    throws(JSON.stringify(given), 'invalid grpc.connect() parameters: ', () => client.connect(ADDRESS, given));
    throws(JSON.stringify(given), text, () => client.connect(ADDRESS, given));
  }
  is('without sharing', client.connect(ADDRESS, { plaintext: true, connectionSharing: false, httpVersion: 'auto' }), true);
  throws('TLS with a server that has none', 'authentication handshake failed', () => client.connect(ADDRESS));
  throws('gRPC has no such params', 'unknown connect param: "text"', () => new grpc.Client().connect(ADDRESS, { text: true }));
}
