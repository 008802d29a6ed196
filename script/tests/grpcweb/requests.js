// Each row of the table of requests, over both versions of HTTP. The server keeps what comes; here is
// checked that the right ones are refused.

import { check } from 'k6';
import grpcweb from 'k6/x/grpcweb';

const rows = JSON.parse(open('../../../xk6-grpcweb/testdata/grpc-web-requests.json'));
export const options = { iterations: 1, thresholds: { checks: ['rate==1'] } };
const client = new grpcweb.Client();
client.load([], 'vectors.proto');

const bytes = (hex) => new Uint8Array((hex.match(/../g) || []).map((pair) => parseInt(pair, 16)));

function send(row) {
  const metadata = { 'x-row': row.id, ...row.metadata };
  for (const [name, value] of Object.entries(row.metadata_bin || {})) metadata[name] = bytes(value);
  const params = row.timeout_ns ? { metadata, timeout: `${row.timeout_ns}ns` } : { metadata };
  try {
    return client.invoke('vectors.Vectors/Unary', bytes(row.message || ''), params).status;
  } catch (error) {
    return error.message;
  }
}

export default function () {
  for (const [address, httpVersion] of [[__ENV.HTTP1, '1.1'], [__ENV.H2C, '2']]) {
    for (const row of rows) {
      client.connect(address, {
        plaintext: true, httpVersion, text: Boolean(row.text), ...(row.gzip ? { compression: 'gzip' } : {}),
      });
      const got = send(row);
      const { refused, grpc_timeout: timeout } = row.expect;
      const isRight = refused
        ? String(got).includes(`"${refused}"`)
        : got === 5 || (timeout && got === grpcweb.StatusDeadlineExceeded);
      if (!check(null, { [row.id]: isRight })) console.error(`${row.id} over HTTP/${httpVersion}: ${got}`);
    }
  }
}
