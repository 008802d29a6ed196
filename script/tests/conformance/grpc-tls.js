import grpc from 'k6/net/grpc';
import { is, throws, EVERY } from './lib/expect.js';

const file = (name) => open(`${__ENV.TLS_FILES}/${name}.pem`);
const [stranger, cert, key, otherKey] = ['stranger', 'client', 'client-key', 'other-key'].map(file);
export const options = {
  iterations: 1,
  thresholds: { checks: ['rate==1'] },
  tlsAuth: [{ domains: ['localhost'], cert, key }],
};
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
const address = (name) => __ENV[name].replace('https://', '');
const echo = (value) => {
  const answer = client.invoke(`${EVERY}/Echo`, { stringValue: value });
  return [answer.status, answer.message && answer.message.stringValue];
};

export default async function () {
  const trusted = address('GRPC_URL');
  is('trusted', client.connect(trusted), true);
  is('echo', echo('secret'), [0, 'secret']);
  is('large', echo('x'.repeat(300000))[1].length, 300000);
  const both = await Promise.all([1, 2].map((n) => client.asyncInvoke(`${EVERY}/Echo`, { int32Value: n })));
  is('side by side', both.map((answer) => answer.message.int32Value), [1, 2]);
  client.close();

  const number = trusted.replace('localhost', '127.0.0.1');
  throws('another host', 'x509: certificate is not valid for 127.0.0.1', () => client.connect(number));
  is('authority', client.connect(number, { authority: trusted }), true);
  is('echo by authority', echo('a'), [0, 'a']);

  const unknown = address('GRPC_UNKNOWN_URL');
  throws('unknown', 'x509: certificate signed by unknown authority', () => client.connect(unknown));
  is('still connected', echo('b'), [0, 'b']);
  is('own root', client.connect(unknown, { tls: { cacerts: stranger } }), true);
  is('echo to unknown', echo('c'), [0, 'c']);
  is('own roots', client.connect(unknown, { tls: { cacerts: [stranger] } }), true);

  const mutual = address('GRPC_MUTUAL_URL');
  is('certificate of the options', client.connect(mutual), true);
  is('shown', echo('d'), [0, 'd']);
  is('certificate of its own', client.connect(mutual, { tls: { cert, key } }), true);
  is('shown too', echo('e'), [0, 'e']);
  let refused = '';
  try {
    client.connect(mutual, { tls: { cacerts: stranger } });
    refused = client.invoke(`${EVERY}/Echo`, {}).error.message;
  } catch (error) {
    refused = error.message;
  }
  is('with tls, tlsAuth counts no more', refused.includes('CertificateRequired'), true);

  throws('mixed up', 'cert and key cannot be used together', () => client.connect(mutual, { tls: { cert, key: otherKey } }));
  throws('no PEM', 'cacerts cannot be used', () => client.connect(unknown, { tls: { cacerts: 'x' } }));
  throws('encrypted', 'key is encrypted', () => client.connect(mutual, { tls: { cert, key: key.replace('PRIVATE', 'ENCRYPTED PRIVATE'), password: 'p' } }));
  throws('no HTTP/2', 'ALPN', () => client.connect(address('HTTPS_URL')));
  throws('no TLS', 'does not look like a TLS handshake', () => client.connect(address('PLAIN_URL')));
  throws('hangs', 'context deadline exceeded', () => client.connect(address('HANGING_URL'), { timeout: '300ms' }));
  throws('breaks off', 'authentication handshake failed', () => client.connect(address('BREAKING_URL')));
}
