// Each row of the table of known answers: one check for each version of HTTP and format of requests.

import { check } from 'k6';
import grpcweb from 'k6/x/grpcweb';

const rows = JSON.parse(open('../../../xk6-grpcweb/testdata/grpc-web-responses.json'));
export const options = { iterations: 1, thresholds: { checks: ['rate==1'] } };
const client = new grpcweb.Client();
client.load([], 'vectors.proto');

const hexOfBytes = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const hexOfText = (text) => hexOfBytes([...text].map((char) => char.charCodeAt(0)));
const hexOfBuffer = (buffer) => hexOfBytes(new Uint8Array(buffer));

/** Status and trailers of the message as an object, which must be one; bytes of the encoded one. */
function unary(metadata) {
  const { status, error, trailers } = client.invoke('vectors.Vectors/Unary', {}, { metadata });
  const { message } = client.invoke('vectors.Vectors/Unary', {}, { metadata, responseType: 'binary' });
  return { status, text: error && error.message, trailers, messages: message ? [hexOfBuffer(message)] : [] };
}

function stream(metadata) {
  const opened = new grpcweb.Stream(client, 'vectors.Vectors/Stream', { metadata, responseType: 'binary' });
  const messages = [];
  let last;
  opened.on('data', (message) => messages.push(hexOfBuffer(message)));
  opened.on('error', () => {});
  opened.on('status', (status) => { last = status; });
  const ended = new Promise((resolve) => { opened.on('end', resolve); });
  opened.write({});
  return ended.then(() => ({ status: last.code, text: last.message, trailers: last.trailers, messages }));
}

/** What of the answer is not as expected. */
function differences({ expect }, got) {
  const pairs = [['status', got.status, expect.status]];
  if (expect.message !== undefined) pairs.push(['message', got.text, expect.message]);
  if (expect.messages) pairs.push(['messages', got.messages, expect.messages]);
  for (const [name, values] of Object.entries(expect.trailers || {})) {
    pairs.push([name, got.trailers[name], values]);
  }
  for (const [name, values] of Object.entries(expect.trailers_bin || {})) {
    pairs.push([name, (got.trailers[name] || []).map(hexOfText), values]);
  }
  return pairs
    .map(([name, actual, wanted]) => [name, JSON.stringify(actual), JSON.stringify(wanted)])
    .filter(([, actual, wanted]) => actual !== wanted)
    .map(([name, actual, wanted]) => `${name} is ${actual}, not ${wanted}`);
}

export default async function () {
  for (const [address, httpVersion] of [[__ENV.HTTP1, '1.1'], [__ENV.H2C, '2']]) {
    for (const text of [false, true]) {
      for (const row of rows) {
        client.connect(address, { plaintext: true, httpVersion, text, maxReceiveSize: row.max_receive || 0 });
        const metadata = { 'x-row': row.id };
        const got = row.rpc === 'server_stream' ? await stream(metadata) : unary(metadata);
        const wrong = differences(row, got);
        if (!check(null, { [row.id]: wrong.length === 0 })) {
          console.error(`${row.id} over HTTP/${httpVersion}: ${wrong.join('; ')} (${got.text})`);
        }
      }
    }
  }
}
