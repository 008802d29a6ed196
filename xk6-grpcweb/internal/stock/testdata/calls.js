// Calls that the Go test asks for. What they lead to comes back as JSON.

import grpcweb from '../../../../k6/lib/grpcweb.js';

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

function connect(address, params) {
  const client = new grpcweb.Client();
  client.load(['../../../k6/tests'], 'vectors.proto');
  client.connect(address, { plaintext: true, ...params });
  return client;
}

globalThis.unary = (address, params) => {
  const client = connect(address, params);
  const response = client.invoke('vectors.Vectors/Unary', { text: 'asked' });
  const method = client.schema.method('vectors.Vectors/Unary');
  const messages = response.status === 0 ? [hex(client.schema.encode(method, response.message))] : [];
  return JSON.stringify({ ...response, message: response.error?.message ?? '', messages });
};

globalThis.stream = (address, params, done) => {
  const got = { messages: [] };
  const stream = new grpcweb.Stream(connect(address, params), 'vectors.Vectors/Stream', { responseType: 'binary' });
  stream.on('data', (message) => got.messages.push(hex(message)));
  stream.on('error', ({ message }) => { got.message = message; });
  stream.on('status', ({ code, trailers }) => { got.status = code; got.trailers = trailers; });
  stream.on('end', () => done(JSON.stringify(got)));
  stream.write({});
  stream.end();
};

const methods = new Map();

/** Loads a schema, a .proto file or the bytes of a protoset, under a name. */
globalThis.load = (name, source) => {
  const client = new grpcweb.Client();
  const infos = typeof source === 'string' ? client.load(['../../../script/tests/proto'], source) : client.loadProtoset(source);
  methods.set(name, client.schema);
  return JSON.stringify(infos);
};

const methodOf = (name, path) => [methods.get(name), methods.get(name).method(path)];

/** Encodes JSON text, and returns hexadecimal. */
globalThis.encode = (name, path, json) => {
  const [schema, method] = methodOf(name, path);
  return hex(schema.encode(method, JSON.parse(json)));
};

/** Decodes bytes, and returns JSON text. */
globalThis.decode = (name, path, bytes) => {
  const [schema, method] = methodOf(name, path);
  return JSON.stringify(schema.decode(method, new Uint8Array(bytes)));
};
