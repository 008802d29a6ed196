import grpcweb from 'k6/x/grpcweb';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const ADDRESS = __ENV.BASE_URL.replace('http://', '');
const client = new grpcweb.Client();
client.load(['../proto'], 'every_kind.proto');

export default async function () {
  client.connect(ADDRESS, { plaintext: true, headers: { 'x-all': 'all', 'x-both': 'all' } });
  const echo = (request, params) => client.invoke(`${EVERY}/Echo`, request, params);
  const beyond = echo({ int64Value: 9007199254740993n, bytesValue: new Uint8Array([0, 1, 255]), doubleValue: NaN,
    timestamp: new Date(1500) }).message;
  is('beyond JSON', [beyond.int64Value, beyond.bytesValue, beyond.doubleValue, beyond.timestamp],
    ['9007199254740993', 'AAH/', 'NaN', '1970-01-01T00:00:01.500Z']);
  is('an ArrayBuffer', echo({ bytesValue: new Uint8Array([1, 2]).buffer }).message.bytesValue, 'AQI=');
  const encoded = new Uint8Array([0x18, 5]);
  is('encoded bytes', echo(encoded).message.int32Value, 5);
  is('encoded bytes in a buffer', echo(encoded.buffer).message.int32Value, 5);
  const bytes = echo({ int32Value: 6 }, { responseType: 'binary' }).message;
  is('answer in bytes', [...new Uint8Array(bytes)], [0x18, 6]);
  is('no bytes of a failed call', echo({}, { responseType: 'binary', metadata: { 'x-do': 'status:5' } }).message, null);
  is('discarded', [echo({}, { discardResponseMessage: true }).message, echo({}, { responseType: 'none' }).message], [null, null]);

  const seen = echo({}, { metadata: { 'x-user': 'nr 7', 'x-both': 'own', 'token-bin': new Uint8Array([0, 200, 255]) } });
  is('headers', [seen.headers['echo-x-all'], seen.headers['echo-x-both'], seen.headers['echo-x-user']],
    [['all'], ['own'], ['nr 7']]);
  is('own headers', ['content-type', 'x-grpc-web', 'accept', 'grpc-encoding', 'grpc-timeout'].map((name) => seen.headers[`echo-${name}`]),
    [['application/grpc-web+proto'], ['1'], null, null, null]);
  is('agents', seen.headers['echo-user-agent'], seen.headers['echo-x-user-agent']);
  is('binary', [...seen.headers['echo-token-bin'][0]].map((char) => char.charCodeAt(0)), [0, 200, 255]);
  const { trailers } = echo({}, { metadata: { 'x-do': 'trailers' } });
  is('trailers', [trailers['x-trailing'], trailers['trail-bin'][0].charCodeAt(0), 'grpc-status' in trailers],
    [['last'], 255, false]);
  is('timeout', echo({}, { timeout: '2s' }).headers['echo-grpc-timeout'], ['2000000u']);
  is('no timeout', echo({}, { timeout: 0 }).headers['echo-grpc-timeout'], undefined);

  const { status, error, message } = echo({}, { metadata: { 'x-do': 'details' } });
  is('error', [status, error.code, error.message, message.int32Value], [3, 3, 'bad', 0]);
  is("one of Google's details", error.details[0].fieldViolations[0].field, 'isbn');
  is('a loaded detail', [error.details[1]['@type'], error.details[1].int32Value], ['type.googleapis.com/every.kind.v1.Everything', 7]);
  is('another detail', error.details[2], { '@type': 'type.googleapis.com/other.Type', value: 'AQID' });
  for (const [what, code, text] of [
    ['status:42', 42, 'it went wröng'],
    ['garbage', grpcweb.StatusInternal, 'failed to unmarshal'],
    ['http:503', grpcweb.StatusUnavailable, 'HTTP 503 Service Unavailable: as asked'],
  ]) {
    const failed = echo({}, { metadata: { 'x-do': what } });
    is(what, [failed.status, failed.error.message.includes(text)], [code, true]);
  }
  is('late', echo({}, { timeout: 40, metadata: { 'x-do': 'hang' } }).status, grpcweb.StatusDeadlineExceeded);
  const many = client.invoke(`${EVERY}/Repeat`, { int32Value: 2 });
  is('one answer of a stream', client.invoke(`${EVERY}/Repeat`, { int32Value: 1 }).message.int32Value, 1);
  is('more than one', [many.status, many.error.message.includes('more than one')], [grpcweb.StatusUnimplemented, true]);

  const hanging = client.asyncInvoke(`${EVERY}/Echo`, {}, { metadata: { 'x-do': 'hang' } });
  client.close();
  is('closed meanwhile', (await hanging).status, grpcweb.StatusCanceled);
  client.connect(ADDRESS, { plaintext: true, basePath: '/gateway/' });
  is('base path', echo({}).headers['echo-path'], [`/gateway/${EVERY}/Echo`]);
  client.connect(ADDRESS, { plaintext: true, text: true });
  is('text', [echo({ int32Value: 3 }).message.int32Value, echo({}).headers['echo-accept']], [3, ['application/grpc-web-text+proto']]);
  client.connect(ADDRESS, { plaintext: true, maxSendSize: 3, maxReceiveSize: 3 });
  is('too large to send', echo({ stringValue: 'long' }).status, grpcweb.StatusResourceExhausted);
  client.connect(ADDRESS, { plaintext: true, maxReceiveSize: 16 });
  is('too large to receive', echo({ stringValue: 'longer than sixteen bytes' }).status, grpcweb.StatusResourceExhausted);
  throws('after a failed connect', 'couldn\'t connect', () => client.connect('127.0.0.1:1', { plaintext: true }));
  is('the former connection stays', echo({}).status, 0);
}
