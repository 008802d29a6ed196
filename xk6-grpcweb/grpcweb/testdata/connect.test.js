// connect: parameters, transports, TLS.

const grpcweb = require('k6/x/grpcweb');
const client = new grpcweb.Client();
client.load(['proto'], 'test/v1/lab.proto');

function works(address, params) {
  equal(client.connect(address, params), true);
  const response = client.invoke('test.v1.Lab/Echo', { small: 1 });
  equal([response.status, response.error], [0, null]);
  return response;
}

function testHttpVersions() {
  works(LAB.address, { plaintext: true });
  for (const httpVersion of ['auto', '1.1', '2']) {
    works(LAB.address, { plaintext: true, httpVersion });
    works(TLS_LAB.address, { httpVersion, tls: { cacerts: TLS_LAB.roots } });
  }
}

function testTextBasePathHeadersCompression() {
  works(LAB.address, { plaintext: true, text: true });
  works(LAB.address, { plaintext: true, basePath: '/gateway' });
  works(LAB.address, { plaintext: true, compression: 'gzip' });
  equal(works(LAB.address, { plaintext: true, headers: { 'x-user': 'all' } }).headers['x-user'], ['all']);
}

function testTls() {
  works(TLS_LAB.address, { tls: { cacerts: [TLS_LAB.roots] } });
  works(TLS_LAB.address, { tls: { cacerts: [TLS_LAB.roots] }, authority: 'example.com' });
  throws(() => client.connect(TLS_LAB.address), "couldn't connect to");
  throws(
    () => client.connect(TLS_LAB.address, { tls: { cacerts: TLS_LAB.roots }, authority: 'other.test' }),
    'other.test',
  );
}

function testClientCertificate() {
  const { cert, key, encrypted, password } = CERTIFICATE;
  const cacerts = MUTUAL_LAB.roots;
  works(MUTUAL_LAB.address, { tls: { cert, key, cacerts } });
  works(MUTUAL_LAB.address, { tls: { cert, key: encrypted, password, cacerts } });
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cert, key: encrypted, password: 'x', cacerts } }), 'tls key');
  const pkcs8 = '-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n';
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cert, key: pkcs8, password, cacerts } }), 'PKCS#8');
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cert, cacerts: MUTUAL_LAB.roots } }), 'tls cert and key');
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cert: 'none', key } }), 'tls cert and key');
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cacerts: 'none' } }), 'tls cacerts: entry 0 holds no certificate');
  throws(() => client.connect(MUTUAL_LAB.address, { tls: { cert, key, password: 'x' } }), 'tls key');
}

function testNoAnswer() {
  throws(() => client.connect(SILENT, { timeout: '50ms' }), `couldn't connect to "${SILENT}"`);
}

function testMixedUp() {
  throws(() => client.connect(LAB.address), 'the server seems to speak plaintext');
}

function testLimits() {
  client.connect(LAB.address, { plaintext: true, maxReceiveSize: 10 });
  const received = client.invoke('test.v1.Lab/Echo', { text: 'longer than ten bytes' });
  equal(received.status, grpcweb.StatusResourceExhausted);
  client.connect(LAB.address, { plaintext: true, maxSendSize: 10 });
  const sent = client.invoke('test.v1.Lab/Echo', { text: 'longer than ten bytes' });
  equal(sent.status, grpcweb.StatusResourceExhausted);
}

function testParameterFaults() {
  const faults = [
    [{ plaintext: 'yes' }, 'invalid plaintext value'],
    [{ timeout: 'soon' }, 'invalid timeout value'],
    [{ timeout: 0 }, 'invalid timeout value'],
    [{ reflect: 1 }, 'invalid reflect value'],
    [{ reflectMetadata: { key: 1 } }, 'reflectMetadata "key" value must be a string'],
    [{ maxReceiveSize: -1 }, 'invalid maxReceiveSize value'],
    [{ maxSendSize: 1.5 }, 'invalid maxSendSize value'],
    [{ tls: 'on' }, 'invalid tls value'],
    [{ tls: { cert: 1 } }, 'invalid tls cert value'],
    [{ tls: { cacerts: [1] } }, 'invalid tls cacerts value'],
    [{ tls: { cacerts: 1 } }, 'invalid tls cacerts value'],
    [{ tls: { nosuch: 1 } }, 'unknown tls param: "nosuch"'],
    [{ authority: 1 }, 'invalid authority value'],
    [{ text: 'yes' }, 'invalid text value'],
    [{ basePath: 1 }, 'invalid basePath value'],
    [{ headers: { 'two words': '' } }, 'two words'],
    [{ httpVersion: '3' }, 'invalid httpVersion value'],
    [{ compression: 'br' }, 'invalid compression value'],
    [{ connectionSharing: 5 }, 'invalid connectionSharing value'],
    [{ nosuch: 1 }, 'unknown connect param: "nosuch"'],
  ];
  for (const [params, text] of faults) {
    throws(() => client.connect(LAB.address, params), 'invalid grpc.connect() parameters: ');
    throws(() => client.connect(LAB.address, params), text);
  }
}

function testAddresses() {
  throws(() => client.connect('http://' + LAB.address, { plaintext: true }), 'has a scheme');
  throws(() => client.connect('nowhere', { plaintext: true }), 'nowhere');
  throws(() => client.connect(LAB.address + '/path', { plaintext: true }), LAB.address + '/path');
}

function testReconnectAndClose() {
  works(LAB.address, { plaintext: true });
  works(LAB.address, { plaintext: true });
  client.close();
  client.close();
  throws(() => client.invoke('test.v1.Lab/Echo', {}), 'no gRPC connection, you must call connect first');
}

function testFailedConnectKeepsTheOldConnection() {
  works(LAB.address, { plaintext: true });
  throws(() => client.connect(LAB.address), "couldn't connect");
  equal(client.invoke('test.v1.Lab/Echo', {}).status, 0);
}

function testReflection() {
  const own = new grpcweb.Client();
  own.connect(LAB.address, { plaintext: true, reflect: true, reflectMetadata: { 'x-user': 'me' } });
  equal(own.invoke('reflected.Mirror/Echo', { title: 'me' }).message, { title: 'me' });
  throws(() => client.invoke('reflected.Mirror/Echo', {}), 'not found in file descriptors');
}

function testHealth() {
  works(LAB.address, { plaintext: true });
  equal(client.healthCheck().status, grpcweb.HealthCheckServing);
  equal(client.healthCheck('shop').status, grpcweb.HealthCheckServing);
  throws(() => client.healthCheck('unknown'), 'rpc error: code = NOT_FOUND desc = unknown service');
}
