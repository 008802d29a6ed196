// asyncInvoke.

const grpcweb = require('k6/x/grpcweb');
const client = new grpcweb.Client();
client.load(['proto'], 'test/v1/lab.proto');

function connect() {
  client.connect(LAB.address, { plaintext: true });
}

async function testAnswers() {
  connect();
  const response = await client.asyncInvoke('test.v1.Lab/Echo', { small: 1 });
  equal([response.status, response.message.small, response.error], [0, 1, null]);
}

async function testSideBySide() {
  connect();
  const calls = [];
  for (let small = 0; small < 20; small++) {
    calls.push(client.asyncInvoke('test.v1.Lab/Echo', { small }));
  }
  const responses = await Promise.all(calls);
  equal(responses.map((r) => r.message.small), [...calls.keys()]);
}

async function testFailedCallResolves() {
  connect();
  const response = await client.asyncInvoke('test.v1.Lab/Fail', { code: 7, message: 'no' });
  equal([response.status, response.error.message], [7, 'no']);
}

async function testArgumentsReject() {
  connect();
  await rejects(client.asyncInvoke('', {}), 'method to invoke cannot be empty');
  await rejects(client.asyncInvoke('test.v1.Lab/Echo'), 'request cannot be nil');
  await rejects(client.asyncInvoke('test.v1.Lab/Echo', {}, { nosuch: 1 }), 'unknown param: "nosuch"');
  await rejects(
    client.asyncInvoke('test.v1.Lab/Echo', { get small() { throw new Error('own getter'); } }),
    'own getter',
  );
}

async function testDeadline() {
  connect();
  const response = await client.asyncInvoke('test.v1.Lab/Hang', {}, { timeout: '20ms' });
  equal(response.status, grpcweb.StatusDeadlineExceeded);
}

async function testCloseEndsCalls() {
  connect();
  const call = client.asyncInvoke('test.v1.Lab/Hang', {});
  client.close();
  equal((await call).status, grpcweb.StatusCanceled);
}
