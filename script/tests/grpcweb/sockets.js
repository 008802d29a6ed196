// Connects a thousand times, or once: MODE is close, again or once.

import grpcweb from 'k6/x/grpcweb';

export const options = { iterations: 1 };
const client = new grpcweb.Client();
client.load([], 'vectors.proto');

export default function () {
  for (const [address, httpVersion] of [[__ENV.HTTP1, '1.1'], [__ENV.H2C, '2']]) {
    for (let nth = 0; nth < 500; nth += 1) {
      if (__ENV.MODE !== 'once' || nth === 0) client.connect(address, { plaintext: true, httpVersion });
      const { status, error } = client.invoke('vectors.Vectors/Unary', {});
      if (status !== grpcweb.StatusOK) throw new Error(`status ${status}: ${error.message}`);
      if (__ENV.MODE === 'close') client.close();
    }
  }
}
