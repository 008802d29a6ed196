import grpcweb from 'k6/x/grpcweb';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const stranger = open(`${__ENV.TLS_FILES}/stranger.pem`);
const client = new grpcweb.Client();
client.load(['../proto'], 'every_kind.proto');
const address = (name) => __ENV[name].replace('https://', '');
const echo = (value) => client.invoke(`${EVERY}/Echo`, { stringValue: value }).message.stringValue;

export default function () {
  for (const [name, version] of [
    ['HTTPS_URL', 'auto'], ['HTTPS_URL', '1.1'], ['HTTPS2_URL', 'auto'], ['HTTPS2_URL', '1.1'], ['HTTPS2_URL', '2'],
  ]) {
    is(`${name} ${version}`, client.connect(address(name), { httpVersion: version }), true);
    is('echo', [echo('a'), echo('b')], ['a', 'b']);
  }
  throws('no HTTP/2', 'ALPN', () => client.connect(address('HTTPS_URL'), { httpVersion: '2' }));
  throws('unknown', 'x509: certificate signed by unknown authority', () => client.connect(address('UNKNOWN_URL')));
  is('own root', client.connect(address('UNKNOWN_URL'), { tls: { cacerts: [stranger] } }), true);
  is('echo to unknown', echo('c'), 'c');
  throws('hangs', 'context deadline exceeded', () => client.connect(address('HANGING_URL'), { timeout: 300 }));
  client.close();
}
