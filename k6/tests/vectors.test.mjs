// The known answers and requests that every gRPC-Web client of this repository agrees with.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { Client, Stream } from '../lib/grpcweb.js';
import { encodeTimeout, parseDuration } from '../lib/grpcweb/duration.js';
import { startServer } from './server.mjs';

const table = (name) =>
  JSON.parse(readFileSync(new URL(`../../xk6-grpcweb/testdata/${name}`, import.meta.url), 'utf8'));

let server;

before(async () => {
  server = await startServer();
});
after(() => server.stop());

function clientOf(params) {
  const client = new Client();
  client.load(['tests'], 'vectors.proto');
  client.connect(server.address, { plaintext: true, ...params });
  return client;
}

function streamed(client) {
  return new Promise((resolve) => {
    const got = { messages: [] };
    const stream = new Stream(client, 'vectors.Vectors/Stream', { responseType: 'binary' });
    stream.on('data', (message) => got.messages.push(Buffer.from(message).toString('hex')));
    stream.on('error', () => {});
    stream.on('status', (status) => Object.assign(got, { error: status, status: status.code, trailers: status.trailers }));
    stream.on('end', () => resolve(got));
    stream.write({});
  });
}

/** A unary call's message must be readable, so it is asked for as an object, and then encoded again. */
async function unary(client, how) {
  const response = await client[how]('vectors.Vectors/Unary', {});
  const messages = [];
  if (response.status === 0) {
    const method = client.schema.method('vectors.Vectors/Unary');
    messages.push(Buffer.from(client.schema.encode(method, response.message)).toString('hex'));
  }
  return { ...response, messages };
}

function check(row, got) {
  const { expect } = row;
  assert.equal(got.status, expect.status, `${got.error?.message}: ${row.note}`);
  if (expect.message !== undefined) assert.equal(got.error.message, expect.message);
  if (row.http !== 200 && row.body === '') assert.notEqual(got.error.message, '');
  if (expect.messages) assert.deepEqual(got.messages, expect.messages);
  for (const [key, values] of Object.entries(expect.trailers ?? {})) {
    assert.deepEqual(got.trailers[key], values);
  }
  for (const [key, values] of Object.entries(expect.trailers_bin ?? {})) {
    assert.deepEqual(got.trailers[key].map((value) => Buffer.from(value, 'latin1').toString('hex')), values);
  }
}

const answers = table('grpc-web-responses.json');

test('the table of answers is whole', () => assert.ok(answers.length >= 69));

for (const row of answers) {
  for (const text of [false, true]) {
    test(`answer ${row.id}, asked for in ${text ? 'text' : 'binary'}`, async () => {
      await server.ask({ answer: row });
      const limit = row.max_receive ? { maxReceiveSize: row.max_receive } : {};
      const client = clientOf({ text, ...limit });
      if (row.rpc === 'server_stream') {
        check(row, await streamed(client));
        return;
      }
      check(row, await unary(client, 'invoke'));
      check(row, await unary(client, 'asyncInvoke'));
    });
  }
}

const requests = table('grpc-web-requests.json');

test('the table of requests is whole', () => assert.ok(requests.length >= 27));

for (const row of requests) {
  test(`request ${row.id}`, async () => {
    await server.ask({ answer: { http: 200, ct: 'application/grpc-web+proto', headers: { 'grpc-status': '5' }, body: '' } });
    const binary = Object.entries(row.metadata_bin ?? {}).map(([key, hex]) => [key, Buffer.from(hex, 'hex')]);
    const metadata = { ...row.metadata, ...Object.fromEntries(binary) };
    const client = clientOf({ text: row.text ?? false, ...(row.gzip ? { compression: 'gzip' } : {}) });
    const params = row.timeout_ns ? { metadata, timeout: `${row.timeout_ns}ns` } : { metadata };
    const message = Buffer.from(row.message ?? '', 'hex');
    const call = () => client.invoke('vectors.Vectors/Unary', message, params);
    if (row.expect.refused) {
      assert.throws(call, (error) => error.message.includes(JSON.stringify(row.expect.refused)));
      assert.deepEqual(await server.ask({}), []);
      return;
    }
    const response = call();
    if (row.expect.grpc_timeout) {
      checkTimeout(row, await server.ask({}));
      return;
    }
    assert.equal(response.status, 5);
    checkRequest(row, await server.ask({}));
  });
}

/** The request need not have arrived: the shortest time-outs pass before. */
function checkTimeout(row, arrived) {
  const want = row.expect.grpc_timeout;
  assert.equal(encodeTimeout(parseDuration('timeout', `${row.timeout_ns}ns`)), want);
  assert.equal(encodeTimeout(parseDuration('timeout', row.timeout_ns / 1e6)), want);
  for (const request of arrived) assert.equal(request.headers['grpc-timeout'], want);
}

function checkRequest(row, arrived) {
  assert.equal(arrived.length, 1);
  const [{ headers, body, path }] = arrived;
  assert.equal(path, '/vectors.Vectors/Unary');
  assert.equal(headers['content-type'], row.text ? 'application/grpc-web-text+proto' : 'application/grpc-web+proto');
  for (const [name, value] of Object.entries(row.expect.headers ?? {})) assert.equal(headers[name], value);
  if (row.expect.body) assert.equal(body, row.expect.body);
  if (row.expect.inflated !== undefined) {
    const bytes = Buffer.from(body, 'hex');
    assert.equal(bytes[0], 1);
    assert.equal(bytes.readUInt32BE(1), bytes.length - 5);
    assert.equal(gunzipSync(bytes.subarray(5)).toString('hex'), row.expect.inflated);
  }
}
