// The client under test of the public suite connectrpc/conformance, in Node with a stand-in for k6/http.
// It reads calls from standard input, makes them and writes what it saw to standard output, both as
// messages with a four-byte length in front. The suite's messages are compiled from the .proto files
// of the suite itself:
//
//   node --import ../shim/register.mjs client.mjs <folder of the suite's .proto files>

import { Client, Stream } from '../../lib/grpcweb.js';
import { toObject } from '../../lib/grpcweb/json.js';
import { protojson } from '../../lib/vendor/protobuf.js';

const PACKAGE = 'connectrpc.conformance.v1';
const DEFAULT_SERVICE = `${PACKAGE}.ConformanceService`;

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: client.mjs <folder of the suite's .proto files>");
  process.exit(2);
}
const suite = new Client();
suite.load([folder], `${PACKAGE.replaceAll('.', '/')}/client_compat.proto`, `${PACKAGE.replaceAll('.', '/')}/service.proto`);
const Request = suite.schema.find(`${PACKAGE}.ClientCompatRequest`);
const Response = suite.schema.find(`${PACKAGE}.ClientCompatResponse`);

let unread = Buffer.alloc(0);
for await (const piece of process.stdin) {
  unread = Buffer.concat([unread, piece]);
  while (unread.length >= 4 && unread.length >= 4 + unread.readUInt32BE(0)) {
    const end = 4 + unread.readUInt32BE(0);
    const request = toObject(Request, Request.decode(unread.subarray(4, end)), suite.schema.find);
    unread = unread.subarray(end);
    write({ testName: request.testName, ...(await perform(request)) });
  }
}

function write(response) {
  const encoded = Response.encode(protojson.fromJson(Response, response)).finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(encoded.length);
  process.stdout.write(Buffer.concat([length, encoded]));
}

/** Faults of the set-up, not of the call, become an error result. */
async function perform(request) {
  try {
    return { response: await call(request) };
  } catch (error) {
    return { error: { message: error instanceof Error ? error.stack : String(error) } };
  }
}

function call(request) {
  suite.connect(`${request.host}:${request.port}`, {
    plaintext: request.serverTlsCert === '',
    maxReceiveSize: request.messageReceiveLimit,
    ...(request.compression === 'COMPRESSION_GZIP' ? { compression: 'gzip' } : {}),
  });
  if (request.requestMessages.length !== 1) {
    throw new Error(`${request.requestMessages.length} request messages; the client sends one`);
  }
  const [{ '@type': _, ...message }] = request.requestMessages;
  const method = `${request.service ?? DEFAULT_SERVICE}/${request.method}`;
  const params = { metadata: metadataOf(request.requestHeaders), timeout: request.timeoutMs ?? 0 };
  if (request.cancel && request.cancel.afterNumResponses === undefined) {
    setTimeout(() => suite.close(), request.cancel.afterCloseSendMs ?? 0);
  }
  switch (request.streamType) {
    case 'STREAM_TYPE_UNARY':
      return unary(method, message, params, request.cancel);
    case 'STREAM_TYPE_SERVER_STREAM':
      return serverStream(method, message, params, request.cancel);
    default:
      throw new Error(`${request.streamType} cannot be carried by gRPC-Web`);
  }
}

/** A call that is to be cancelled needs the script to go on; all others are made to wait. */
async function unary(method, message, params, cancel) {
  const response = cancel
    ? await suite.asyncInvoke(method, message, params)
    : suite.invoke(method, message, params);
  return {
    responseHeaders: headersOf(response.headers),
    payloads: response.status === 0 ? [response.message.payload ?? {}] : [],
    error: response.error,
    responseTrailers: headersOf(response.trailers),
  };
}

function serverStream(method, message, params, cancel) {
  return new Promise((resolve) => {
    const result = { responseHeaders: [], payloads: [], error: null, responseTrailers: [] };
    const stream = new Stream(suite, method, params);
    stream.on('metadata', (headers) => {
      result.responseHeaders = headersOf(headers);
    });
    stream.on('data', (answer) => {
      result.payloads.push(answer.payload ?? {});
      if (cancel && result.payloads.length === cancel.afterNumResponses) suite.close();
    });
    stream.on('error', (error) => {
      result.error = error;
    });
    stream.on('status', ({ trailers }) => {
      result.responseTrailers = headersOf(trailers);
    });
    stream.on('end', () => resolve(result));
    stream.write(message);
    stream.end();
  });
}

/** A script gives one value for each key; HTTP lets a comma stand between several. */
function metadataOf(headers) {
  return Object.fromEntries(
    headers.map(({ name, value }) => [
      name,
      name.endsWith('-bin') ? Buffer.from(value.join(','), 'latin1') : value.join(', '),
    ]),
  );
}

function headersOf(metadata) {
  return Object.entries(metadata).map(([name, value]) => ({ name, value }));
}
