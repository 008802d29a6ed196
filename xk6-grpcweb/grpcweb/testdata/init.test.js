// What may be done in the init context and what may not.

const grpcweb = require('k6/x/grpcweb');
const client = new grpcweb.Client();

function initConstants() {
  equal(
    [
      grpcweb.StatusOK, grpcweb.StatusCanceled, grpcweb.StatusUnknown, grpcweb.StatusInvalidArgument,
      grpcweb.StatusDeadlineExceeded, grpcweb.StatusNotFound, grpcweb.StatusAlreadyExists,
      grpcweb.StatusPermissionDenied, grpcweb.StatusResourceExhausted, grpcweb.StatusFailedPrecondition,
      grpcweb.StatusAborted, grpcweb.StatusOutOfRange, grpcweb.StatusUnimplemented, grpcweb.StatusInternal,
      grpcweb.StatusUnavailable, grpcweb.StatusDataLoss, grpcweb.StatusUnauthenticated,
    ],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
  );
  equal(
    [
      grpcweb.HealthCheckUnknown, grpcweb.HealthCheckServing, grpcweb.HealthCheckNotServing,
      grpcweb.HealthCheckServiceUnkown,
    ],
    [0, 1, 2, 3],
  );
}

function initLoadListsMethods() {
  const methods = new grpcweb.Client().load(['proto'], 'test/v1/lab.proto');
  equal(methods.length, 10);
  equal(methods[0].package, 'test.v1');
  equal(methods[0].service, 'Lab');
  equal(methods[0].full_method, '/test.v1.Lab/Echo');
}

function initLoadFromTheScriptsFolder() {
  equal(new grpcweb.Client().load([], 'alone.proto').length, 1, '[]');
  equal(new grpcweb.Client().load(null, 'alone.proto').length, 1, 'null');
  equal(new grpcweb.Client().load(undefined, 'alone.proto').length, 1, 'undefined');
}

function initLoadTwice() {
  const twice = new grpcweb.Client();
  equal(twice.load(['proto'], 'test/v1/lab.proto').length, 10);
  equal(twice.load(['proto'], 'test/v1/lab.proto').length, 10, 'the same again');
  equal(twice.load([], 'alone.proto').length, 1, 'another file');
}

function initLoadFaults() {
  throws(() => client.load(['proto'], 'missing.proto'), 'missing.proto');
  throws(() => client.load(['proto']), 'no .proto file was named');
  throws(() => client.load([], 'broken.proto'), 'broken.proto');
}

function initLoadProtosetFaults() {
  throws(() => client.loadProtoset('missing.protoset'), "couldn't open protoset");
  throws(() => client.loadProtoset('prelude.js'), "couldn't unmarshal protoset file");
}

function initConnect() {
  throws(
    () => client.connect(LAB.address, { plaintext: true }),
    'connecting to a gRPC server in the init context is not supported',
  );
}

function initInvoke() {
  throws(
    () => client.invoke('test.v1.Lab/Echo', {}),
    'invoking RPC methods in the init context is not supported',
  );
  throws(() => client.healthCheck(), 'invoking RPC methods in the init context is not supported');
}

async function initAsyncInvoke() {
  await rejects(
    client.asyncInvoke('test.v1.Lab/Echo', {}),
    'invoking RPC methods in the init context is not supported',
  );
}

function initStream() {
  throws(() => new grpcweb.Stream(client, 'test.v1.Lab/Count'), 'in the init context is not supported');
}

function initCloseIsHarmless() {
  client.close();
}

function testLoadOutsideInit() {
  throws(() => client.load(['proto'], 'test/v1/lab.proto'), 'load must be called in the init context');
  throws(() => client.loadProtoset('lab.protoset'), 'load must be called in the init context');
}

function testNotConnected() {
  throws(() => client.invoke('test.v1.Lab/Echo', {}), 'no gRPC connection, you must call connect first');
  throws(() => client.healthCheck(), 'no gRPC connection, you must call connect first');
  throws(
    () => new grpcweb.Stream(client, 'test.v1.Lab/Count'),
    "invalid GRPC Stream's client: no gRPC connection, you must call connect first",
  );
}

async function testNotConnectedAsync() {
  await rejects(
    client.asyncInvoke('test.v1.Lab/Echo', {}),
    'no gRPC connection, you must call connect first',
  );
}
