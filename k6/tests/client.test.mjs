// What a script sees of the client, beside what the tables say.

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, before, beforeEach, test } from 'node:test';

import * as named from '../lib/grpcweb.js';
import grpcweb, { Client, Stream } from '../lib/grpcweb.js';
import { startServer } from './server.mjs';
import { samples } from './shim/metrics.mjs';

const UNARY = 'vectors.Vectors/Unary';
const HELLO = '00000000070a0568656c6c6f';
const OK = '800000000f677270632d7374617475733a300d0a';
const GOOD = { http: 200, ct: 'application/grpc-web+proto', body: HELLO + OK };

let server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());
beforeEach(() => {
  for (const kept of samples.values()) kept.length = 0;
});

function loaded() {
  const client = new Client();
  client.load(['tests'], 'vectors.proto');
  return client;
}

async function connected(answer, params) {
  await server.ask({ answer });
  const client = loaded();
  client.connect(server.address, { plaintext: true, ...params });
  return client;
}

const headersOnly = (headers) => ({ http: 200, ct: 'application/grpc-web+proto', headers, body: '' });

/** All events of a stream, in order. */
function eventsOf(client, params, during = () => {}) {
  return new Promise((resolve) => {
    const events = [];
    const stream = new Stream(client, 'vectors.Vectors/Stream', params);
    for (const name of ['metadata', 'data', 'error', 'status', 'end']) {
      stream.on(name, (value, { ts }) => {
        assert.ok(Math.abs(ts - Date.now() / 1000) < 60);
        events.push([name, value]);
        during(name, client);
        if (name === 'end') resolve(events);
      });
    }
    stream.write({ text: 'asked' });
    stream.end();
  });
}

test('the default export holds what the named ones are', () => {
  const { default: _, ...exports } = named;
  assert.deepEqual(grpcweb, { ...exports });
  assert.equal(grpcweb.StatusUnauthenticated, 16);
});

test('load tells the methods, and a second load of the same file adds none', () => {
  const client = new Client();
  const methods = client.load(['nowhere', 'tests'], 'vectors.proto');
  assert.deepEqual(methods, [
    { package: 'vectors', service: 'Vectors', full_method: '/vectors.Vectors/Unary' },
    { package: 'vectors', service: 'Vectors', full_method: '/vectors.Vectors/Stream' },
  ]);
  assert.deepEqual(client.load(['tests'], 'vectors.proto'), []);
});

test('files that cannot be loaded are named', () => {
  const client = new Client();
  assert.throws(() => client.load(['tests'], 'nothing.proto'), /cannot open nothing.proto in tests: .*ENOENT/);
  assert.throws(() => client.load(['tests'], 'client.test.mjs'), /cannot compile client.test.mjs: .*line/);
  assert.throws(() => client.loadProtoset('tests/nothing'), /couldn't open protoset: .*ENOENT/);
  assert.throws(() => client.loadProtoset(new Uint8Array([10, 200])), /couldn't unmarshal protoset file of the given bytes/);
});

test('an answer has message, headers and trailers', async () => {
  const trailer = Buffer.from('grpc-status:0\r\nx-t:bye\r\n');
  const frame = Buffer.concat([Buffer.from([0x80, 0, 0, 0, trailer.length]), trailer]).toString('hex');
  const client = await connected({ ...GOOD, headers: { 'X-H': 'hi', 'x-b-bin': 'AP8, AQ==' }, body: HELLO + frame });
  const response = client.invoke(UNARY, { text: 'asked' });
  assert.equal(response.status, 0);
  assert.equal(response.error, null);
  assert.deepEqual(response.message, { text: 'hello' });
  assert.deepEqual(response.headers['x-h'], ['hi']);
  assert.deepEqual(response.headers['x-b-bin'], ['\x00\xff', '\x01']);
  assert.deepEqual(response.trailers, { 'x-t': ['bye'] });
});

test('a request may be bytes, and an answer, too', async () => {
  const client = await connected(GOOD);
  const whole = new Uint8Array([1, 2, 3, 10, 1, 97]);
  const response = client.invoke(UNARY, whole.subarray(3), { responseType: 'binary' });
  assert.ok(response.message instanceof ArrayBuffer);
  assert.equal(Buffer.from(response.message).toString('hex'), '0a0568656c6c6f');
  const [{ body }] = await server.ask({});
  assert.equal(body, '00000000030a0161');
});

test('an answer may be discarded', async () => {
  const client = await connected(GOOD);
  assert.equal(client.invoke(UNARY, {}, { discardResponseMessage: true }).message, null);
  assert.equal(client.invoke(UNARY, {}, { responseType: 'none' }).message, null);
});

test('a failed call has the message of no bytes', async () => {
  const client = await connected(headersOnly({ 'grpc-status': '5', 'grpc-message': 'gone' }));
  const response = client.invoke(UNARY, {});
  assert.deepEqual(response.message, { text: '' });
  assert.deepEqual(response.error, { code: 5, message: 'gone', details: [] });
});

test('details of an error are decoded, and unknown ones keep their bytes', async () => {
  const any = (url, value) => {
    const content = Buffer.concat([Buffer.from([10, url.length]), Buffer.from(url), Buffer.from([18, value.length]), value]);
    return Buffer.concat([Buffer.from([26, content.length]), content]);
  };
  const status = Buffer.concat([
    Buffer.from([8, 3]),
    any('type.googleapis.com/google.rpc.RequestInfo', Buffer.from([10, 1, 97])),
    any('type.googleapis.com/vectors.Text', Buffer.from([10, 1, 98])),
    any('type.googleapis.com/no.Such', Buffer.from([1, 2])),
  ]);
  const client = await connected(headersOnly({
    'grpc-status': '3', 'grpc-message': 'bad', 'grpc-status-details-bin': status.toString('base64'),
  }));
  assert.deepEqual(client.invoke(UNARY, {}).error.details, [
    { '@type': 'type.googleapis.com/google.rpc.RequestInfo', requestId: 'a', servingData: '' },
    { '@type': 'type.googleapis.com/vectors.Text', text: 'b' },
    { '@type': 'type.googleapis.com/no.Such', value: 'AQI=' },
  ]);
});

test('parameters of connect reach the request', async () => {
  const client = await connected(GOOD, {
    basePath: 'api/', authority: 'example.test', compression: 'gzip',
    headers: { 'X-Shared': 'all', 'x-own': 'shared' },
  });
  client.invoke(UNARY, {}, { metadata: { 'x-OWN': 'mine' }, timeout: '1m30s' });
  const [{ headers, path }] = await server.ask({});
  assert.equal(path, `/api/${UNARY}`);
  assert.equal(headers.host, 'example.test');
  assert.equal(headers['x-grpc-web'], '1');
  assert.equal(headers['x-shared'], 'all');
  assert.equal(headers['x-own'], 'mine');
  assert.equal(headers['grpc-encoding'], 'gzip');
  assert.equal(headers['grpc-timeout'], '90000000u');
});

test('a call without a time-out of its own has two minutes, and one of 0 has none', async () => {
  const client = await connected(GOOD);
  client.invoke(UNARY, {});
  client.invoke(UNARY, {}, { timeout: 0 });
  const [first, second] = await server.ask({});
  assert.equal(first.headers['grpc-timeout'], '120000m');
  assert.equal(second.headers['grpc-timeout'], undefined);
});

test('wrong arguments throw, and reject where nothing waits', async () => {
  const client = await connected(GOOD);
  const wrong = [
    [['', {}], /method to invoke cannot be empty/],
    [['vectors.Vectors/None', {}], /method "\/vectors.Vectors\/None" not found in file descriptors/],
    [[UNARY, null], /request cannot be nil/],
    [[UNARY, {}, { timeOut: 1 }], /invalid GRPC's client.invoke\(\) parameters: unknown param: "timeOut"/],
    [[UNARY, {}, { timeout: '5 min' }], /invalid timeout value: "5 min"; give milliseconds/],
    [[UNARY, {}, { timeout: -1 }], /invalid timeout value: -1/],
    [[UNARY, {}, { metadata: { a: 1 } }], /metadata "a" value must be a string/],
    [[UNARY, {}, { metadata: { 'a-bin': 'text' } }], /metadata "a-bin" value must be binary/],
    [[UNARY, {}, { metadata: ['a'] }], /metadata must be an object/],
    [[UNARY, {}, { tags: { a: {} } }], /metric tags: the tag "a" must be/],
    [[UNARY, {}, { responseType: 'xml' }], /invalid responseType value: 'xml', it needs to be one of "json", "binary", "none"/],
    [[UNARY, { no: 1 }], /unable to serialise request object to protocol buffer: .*no/],
    [[UNARY, { text: 1 }], /unable to serialise request object to protocol buffer: .*text/],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => client.invoke(...args), { message });
    await assert.rejects(client.asyncInvoke(...args), { message });
  }
  const self = {};
  self.text = self;
  assert.throws(() => client.invoke(UNARY, self), { message: /unable to serialise request object: the object contains itself/ });
  assert.deepEqual(await server.ask({}), []);
  assert.throws(() => loaded().invoke(UNARY, {}), { message: /no gRPC connection, you must call connect first/ });
});

test('connect refuses what it cannot do, with the remedy', () => {
  const client = loaded();
  const wrong = [
    [['http://a:1'], /address "http:\/\/a:1" cannot be used; write host:port/],
    [[''], /address "" cannot be used/],
    [['a:1', { plainText: true }], /unknown connect param: "plainText"/],
    [['a:1', { plaintext: 'yes' }], /invalid plaintext value: 'yes', it needs to be boolean/],
    [['a:1', { connectionSharing: true }], /"connectionSharing" needs the extension k6\/x\/grpcweb; here, each virtual user/],
    [['a:1', { tls: {} }], /"tls" needs the extension .*tlsAuth/],
    [['a:1', { httpVersion: '2' }], /invalid httpVersion value: '2', it needs to be one of "auto": k6\/http speaks/],
    [['a:1', { compression: 'br' }], /invalid compression value: 'br', it needs to be one of "gzip"/],
    [['a:1', { maxReceiveSize: -1 }], /invalid maxReceiveSize value: '-1'/],
    [['a:1', { headers: { 'grpc-status': '0' } }], /key "grpc-status" is reserved by the protocol/],
  ];
  for (const [args, message] of wrong) {
    assert.throws(() => client.connect(...args), (error) => {
      assert.match(error.message, /^invalid grpc.connect\(\) parameters: /);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(client.connect('a:1', { reflect: false, timeout: '5s' }), true);
});

test('a server without reflection is told', async () => {
  await server.ask({ answer: headersOnly({ 'grpc-status': '12', 'grpc-message': 'none' }) });
  assert.throws(() => new Client().connect(server.address, { plaintext: true, reflect: true, reflectMetadata: { 'x-r': 'me' } }), {
    message:
      'server reflection failed: /grpc.reflection.v1.ServerReflection/ServerReflectionInfo: code = 12 desc = none; ' +
      '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo: code = 12 desc = none',
  });
  const asked = await server.ask({ answer: { ...GOOD, body: OK } });
  assert.deepEqual(asked.map(({ headers }) => headers['x-r']), ['me', 'me']);
  assert.throws(() => new Client().connect(server.address, { plaintext: true, reflect: true }), {
    message: 'server reflection failed: 0 answers came to one request',
  });
});

test('messages larger than a limit are not sent, and not read', async () => {
  const client = await connected(GOOD, { maxReceiveSize: 6, maxSendSize: 4 });
  assert.equal(client.invoke(UNARY, { text: 'hello' }).error.message, 'message of 7 bytes is larger than the send limit of 4 bytes');
  assert.deepEqual(await server.ask({}), []);
  const { status, error } = client.invoke(UNARY, {});
  assert.equal(status, grpcweb.StatusResourceExhausted);
  assert.match(error.message, /frame of 7 bytes is larger than the receive limit of 6 bytes/);
});

test('a deadline ends a call, however it is made', async () => {
  const client = await connected({ ...GOOD, delayMs: 60_000 });
  assert.equal(client.invoke(UNARY, {}, { timeout: 30 }).status, grpcweb.StatusDeadlineExceeded);
  const { status } = await client.asyncInvoke(UNARY, {}, { timeout: '30ms' });
  assert.equal(status, grpcweb.StatusDeadlineExceeded);
  await server.ask({ answer: GOOD });
});

test('a connection that breaks or is refused is UNAVAILABLE', async () => {
  const client = await connected({ ...GOOD, chunks: [12], breaks: true });
  const broken = client.invoke(UNARY, {});
  assert.equal(broken.status, grpcweb.StatusUnavailable);
  assert.ok(broken.error.message.startsWith(`${server.address}: `));

  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  await new Promise((resolve) => listener.close(resolve));
  client.connect(`127.0.0.1:${port}`, { plaintext: true });
  assert.equal(client.invoke(UNARY, {}).status, grpcweb.StatusUnavailable);
});

test('an answer that is not gRPC-Web is told apart', async () => {
  const client = await connected({ http: 404, ct: 'text/plain', body: Buffer.from('no such\n page').toString('hex') });
  const { status, error } = client.invoke(UNARY, {});
  assert.equal(status, grpcweb.StatusUnimplemented);
  assert.equal(error.message, 'the server answered HTTP 404 Not Found: no such page');
  await server.ask({ answer: { ...GOOD, ct: 'application/grpc' } });
  assert.match(client.invoke(UNARY, {}).error.message, /native gRPC .* does a gRPC-Web layer stand before the server/);
});

test('a health check tells the status or throws', async () => {
  const client = await connected({ ...GOOD, body: `00000000020801${OK}` });
  assert.deepEqual(client.healthCheck('shop'), { status: grpcweb.HealthCheckServing });
  const [{ body, path }] = await server.ask({ answer: headersOnly({ 'grpc-status': '12', 'grpc-message': 'no health' }) });
  assert.equal(path, '/grpc.health.v1.Health/Check');
  assert.equal(body, '00000000060a0473686f70');
  assert.throws(() => client.healthCheck(), { message: 'rpc error: code = 12 desc = no health' });
});

test('events of a stream come in order', async () => {
  const client = await connected({ ...GOOD, headers: { 'x-h': 'hi' }, body: HELLO + HELLO + OK });
  const events = await eventsOf(client);
  assert.deepEqual(events.map(([name]) => name), ['metadata', 'data', 'data', 'status', 'end']);
  assert.deepEqual(events[0][1]['x-h'], ['hi']);
  assert.deepEqual(events[1][1], { text: 'hello' });
  assert.deepEqual(events[3][1], { code: 0, message: '', details: [], trailers: {} });
  const [{ headers }] = await server.ask({});
  assert.equal(headers['grpc-timeout'], undefined);
});

test('a stream that fails tells the error, then the status', async () => {
  const client = await connected(headersOnly({ 'grpc-status': '7', 'grpc-message': 'no', 'x-t': 'v' }));
  const events = await eventsOf(client);
  assert.deepEqual(events.map(([name]) => name), ['error', 'status', 'end']);
  assert.deepEqual(events[0][1], { code: 7, message: 'no', details: [] });
  assert.deepEqual(events[1][1].trailers['x-t'], ['v']);
});

test('a message that cannot be read ends a stream after those before it', async () => {
  const client = await connected({ ...GOOD, body: `${HELLO}00000000020a05${OK}` });
  const events = await eventsOf(client);
  assert.deepEqual(events.map(([name]) => name), ['metadata', 'data', 'error', 'status', 'end']);
  assert.equal(events[2][1].code, grpcweb.StatusInternal);
});

test('messages of a stream may be discarded', async () => {
  const client = await connected(GOOD);
  const events = await eventsOf(client, { discardResponseMessage: true });
  assert.deepEqual(events[1], ['data', {}]);
});

test('close ends what is in flight', async () => {
  const client = await connected({ ...GOOD, delayMs: 60_000 });
  const pending = client.asyncInvoke(UNARY, {}, { timeout: 200 });
  client.close();
  const { status, error } = await pending;
  assert.equal(status, grpcweb.StatusCanceled);
  assert.equal(error.message, 'canceled by client (k6)');
  assert.throws(() => client.invoke(UNARY, {}), { message: /no gRPC connection/ });
});

test('close in a handler ends a stream there', async () => {
  const client = await connected({ ...GOOD, body: HELLO + HELLO + HELLO + OK });
  const events = await eventsOf(client, null, (name) => {
    if (name === 'data') client.close();
  });
  assert.deepEqual(events.map(([name]) => name), ['metadata', 'data', 'error', 'status', 'end']);
  assert.equal(events[2][1].code, grpcweb.StatusCanceled);
});

test('a stream is misused with a clear error', async () => {
  const client = await connected(GOOD);
  assert.throws(() => new Stream(null, UNARY), { message: /invalid GRPC Stream's client: empty gRPC client/ });
  assert.throws(() => new Stream({}, UNARY), { message: /invalid GRPC Stream's client: not a gRPC client/ });
  assert.throws(() => new Stream(loaded(), UNARY), { message: /no gRPC connection/ });
  assert.throws(() => new Stream(client, 'a.B/C'), { message: /invalid GRPC Stream's method: method "\/a.B\/C" not found/ });
  assert.throws(() => new Stream(client, UNARY, { a: 1 }), { message: /invalid GRPC Stream's parameters: unknown param: "a"/ });
  const stream = new Stream(client, 'vectors.Vectors/Stream');
  assert.throws(() => stream.on('data', 'no'), { message: /handler of the event "data" must be a function, not no/ });
  const ended = new Promise((resolve) => stream.on('end', resolve));
  stream.write({});
  assert.throws(() => stream.write({}), { message: /gRPC-Web carries one request message for each stream/ });
  await ended;
});

test('a stream that is ended before its request fails', async () => {
  const client = await connected(GOOD);
  const stream = new Stream(client, 'vectors.Vectors/Stream');
  const failed = new Promise((resolve) => stream.on('error', resolve));
  stream.end();
  assert.match((await failed).message, /ended before its request was written/);
});

test('calls and streams are counted with their tags', async () => {
  const client = await connected(GOOD);
  client.invoke(UNARY, {}, { tags: { mine: 1 } });
  const [{ value, tags }] = samples.get('grpcweb_reqs');
  assert.equal(value, 1);
  assert.deepEqual(tags, {
    name: `/${UNARY}`, url: `${server.address}/${UNARY}`, service: 'vectors.Vectors', method: 'Unary',
    mine: '1', status: '0',
  });
  assert.ok(samples.get('grpcweb_req_duration')[0].value > 0);
  assert.equal(samples.get('grpcweb_req_failed')[0].value, false);
  await server.ask({ answer: { ...GOOD, body: HELLO + HELLO + OK } });
  await eventsOf(client, { tags: { name: 'my stream' } });
  assert.equal(samples.get('grpcweb_streams').length, 1);
  assert.equal(samples.get('grpcweb_streams_msgs_received')[0].value, 2);
  assert.equal(samples.get('grpcweb_reqs')[1].tags.name, 'my stream');
});
