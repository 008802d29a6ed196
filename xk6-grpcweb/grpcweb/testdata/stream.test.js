// Streams: events, order, faults.

const grpcweb = require('k6/x/grpcweb');
const client = new grpcweb.Client();
client.load(['proto'], 'test/v1/lab.proto');

const COUNT = 'test.v1.Lab/Count';

function open(method = COUNT, params) {
  client.connect(LAB.address, { plaintext: true });
  return new grpcweb.Stream(client, method, params);
}

function names(events) {
  return events.map((event) => event.name);
}

async function testEvents() {
  const stream = open();
  const all = collect(stream);
  stream.write({ to: 3 });
  stream.end();
  const events = await all;
  equal(names(events), ['metadata', 'data', 'data', 'data', 'status', 'end']);
  equal(events.slice(1, 4).map((e) => e.value.small), [1, 2, 3]);
  equal(events[0].value['x-lab'], ['one', 'two']);
  equal(
    [events[4].value.code, events[4].value.message, events[4].value.trailers['x-trailing']],
    [0, 'counted', ['last']],
  );
  equal(events[5].value, {});
  const seconds = Date.now() / 1000;
  for (const { name, meta } of events) {
    if (!(Math.abs(meta.ts - seconds) < 60)) throw new Error(`ts of ${name} is ${meta.ts}, now is ${seconds}`);
  }
}

async function testManyMessages() {
  const stream = open();
  let sum = 0;
  stream.on('data', (message) => { sum += message.small; });
  const end = new Promise((resolve) => stream.on('end', resolve));
  stream.write({ to: 1000 });
  await end;
  equal(sum, 500500);
}

async function testErrorComesBeforeEnd() {
  const stream = open();
  const all = collect(stream);
  stream.write({ to: 1, code: grpcweb.StatusAborted });
  const events = await all;
  equal(names(events), ['metadata', 'data', 'error', 'status', 'end']);
  equal([events[2].value.code, events[2].value.message, events[2].value.details], [10, 'counted', []]);
}

async function testErrorDetails() {
  const stream = open('test.v1.Lab/Fail');
  const all = collect(stream);
  stream.write({ code: 3, message: 'wrong', details: true });
  const error = (await all).find((event) => event.name === 'error').value;
  equal(error.details[1], { '@type': 'type.googleapis.com/test.v1.Part', name: 'page' });
}

async function testUnaryMethod() {
  const stream = open('/test.v1.Lab/Echo');
  const all = collect(stream);
  stream.write({ text: 'one' });
  equal((await all)[1].value.text, 'one');
}

async function testHandlersRunInOrder() {
  const stream = open();
  const calls = [];
  stream.on('data', () => calls.push('first'));
  stream.on('data', () => calls.push('second'));
  const end = new Promise((resolve) => stream.on('end', resolve));
  stream.write({ to: 2 });
  await end;
  equal(calls, ['first', 'second', 'first', 'second']);
}

async function testStreamsSideBySide() {
  const streams = [open(), new grpcweb.Stream(client, COUNT), new grpcweb.Stream(client, COUNT)];
  const all = streams.map(collect);
  streams.forEach((stream, i) => stream.write({ to: i + 1 }));
  const ended = await Promise.all(all);
  equal(ended.map((events) => names(events).filter((name) => name === 'data').length), [1, 2, 3]);
}

async function testOneRequest() {
  const stream = open();
  const all = collect(stream);
  stream.write({ to: 1 });
  throws(() => stream.write({ to: 1 }), 'gRPC-Web carries one request message for each stream');
  stream.end();
  stream.write({ to: 1 }); // after end: no effect, as in k6/net/grpc
  equal(names(await all), ['metadata', 'data', 'status', 'end']);
}

async function testNothingWritten() {
  const stream = open();
  const all = collect(stream);
  stream.end();
  const events = await all;
  equal(names(events), ['error', 'status', 'end']);
  equal(events[0].value.message, 'the stream ended before its request was written');
}

async function testRequestIsNoMessage() {
  const stream = open();
  const all = collect(stream);
  stream.write({ nosuch: 1 });
  const events = await all;
  equal(names(events), ['error', 'status', 'end']);
  contains(events[0].value.message, 'nosuch');
}

function testNeverWrittenHoldsNothing() {
  open();
}

async function testDeadline() {
  const stream = open('test.v1.Lab/Endless', { timeout: '50ms' });
  const all = collect(stream);
  stream.write({});
  equal((await all).find((event) => event.name === 'error').value.code, grpcweb.StatusDeadlineExceeded);
}

async function testCloseEndsStreams() {
  const stream = open('test.v1.Lab/Endless');
  const all = collect(stream);
  let seen = 0;
  stream.on('data', () => { if (++seen === 3) client.close(); });
  stream.write({});
  const error = (await all).find((event) => event.name === 'error').value;
  equal([error.code, error.message], [1, 'canceled by client (k6)']);
}

async function testServerIsGone() {
  const stream = open('test.v1.Lab/Drop');
  const all = collect(stream);
  stream.write({});
  const events = await all;
  equal(names(events), ['error', 'status', 'end']);
  equal(events[0].value.code, grpcweb.StatusUnavailable);
}

async function testDiscard() {
  const stream = open(COUNT, { discardResponseMessage: true });
  const all = collect(stream);
  stream.write({ to: 1 });
  equal((await all)[1].value, {});
}

async function testBytes() {
  const stream = open(COUNT, { responseType: 'binary' });
  const all = collect(stream);
  stream.write(new Uint8Array([0x08, 0x02])); // field 1, to: 2
  const data = (await all).filter((event) => event.name === 'data');
  equal(data.map((event) => [...new Uint8Array(event.value)]), [[0x10, 1], [0x10, 2]]);
}

async function testDamagedMessage() {
  const stream = open('test.v1.Lab/Damage');
  const all = collect(stream);
  stream.write({});
  equal((await all).find((event) => event.name === 'error').value.code, grpcweb.StatusInternal);
}

async function testText() {
  client.connect(LAB.address, { plaintext: true, text: true });
  const stream = new grpcweb.Stream(client, COUNT);
  const all = collect(stream);
  stream.write({ to: 2 });
  equal(names(await all), ['metadata', 'data', 'data', 'status', 'end']);
}

function testWrongArguments() {
  open();
  throws(() => new grpcweb.Stream(), "invalid GRPC Stream's client: empty gRPC client");
  throws(() => new grpcweb.Stream(null, COUNT), "invalid GRPC Stream's client: empty gRPC client");
  throws(() => new grpcweb.Stream({}, COUNT), "invalid GRPC Stream's client: not a gRPC client");
  throws(() => new grpcweb.Stream(client), "invalid GRPC Stream's method: method to invoke cannot be empty");
  throws(() => new grpcweb.Stream(client, 'test.v1.Lab/Nosuch'), "invalid GRPC Stream's method: ");
  throws(() => new grpcweb.Stream(client, 'test.v1.Lab/Upload'), 'streams its requests');
  throws(() => new grpcweb.Stream(client, 'test.v1.Lab/Chat'), 'streams its requests');
  throws(() => new grpcweb.Stream(client, COUNT, { nosuch: 1 }), `invalid GRPC Stream's parameters: unknown param: "nosuch"`);
  throws(() => open().on('data', 1), 'must be a function');
  throws(() => open().on('data'), 'must be a function');
}
