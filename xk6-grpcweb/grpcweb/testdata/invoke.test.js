// Unary calls: messages, answers, parameters.

const grpcweb = require('k6/x/grpcweb');
const client = new grpcweb.Client();
client.load(['proto'], 'test/v1/lab.proto');
client.load([], 'alone.proto');

const ECHO = 'test.v1.Lab/Echo';
const FAIL = '/test.v1.Lab/Fail';

/** Calls Echo, which answers with what it was sent. */
function echo(message, params) {
  if (!echo.connected) echo.connected = client.connect(LAB.address, { plaintext: true });
  const response = client.invoke(ECHO, message, params);
  equal([response.status, response.error], [grpcweb.StatusOK, null], 'status and error');
  return response;
}

function testUnsetFields() {
  equal(echo({}).message, {
    flag: false, small: 0, large: '0', unsigned: '0', single: 0, real: 0, text: '', raw: '',
    colour: 'COLOUR_UNSPECIFIED', part: null, parts: [], counts: {}, at: null, took: null, any: null,
    snakeCaseName: 0,
  });
}

function testEveryField() {
  const message = {
    flag: true, small: -7, large: '-9007199254740993', unsigned: '18446744073709551615', single: 1.5,
    real: 0.1, text: 'ÅÄÖ 𝕏 <&>', raw: 'AAH/', colour: 'COLOUR_RED', part: { name: 'p' },
    parts: [{ name: 'a' }, { name: '' }], counts: { one: 1 }, maybe: 0, word: 'w',
    at: '2026-09-01T12:00:00.500Z', took: '1.500s',
    any: { '@type': 'type.googleapis.com/test.v1.Part', name: 'packed' }, snakeCaseName: 3,
  };
  const answer = echo(message).message;
  for (const name of Object.keys(message)) equal(answer[name], message[name], name);
  equal(Object.keys(answer).length, Object.keys(message).length, 'number of fields');
  equal('number' in answer, false, 'the other member of the oneof');
}

function testOtherSpellings() {
  const answer = echo({ snake_case_name: 4, large: 12, unsigned: '13', colour: 1 }).message;
  equal([answer.snakeCaseName, answer.large, answer.unsigned, answer.colour], [4, '12', '13', 'COLOUR_RED']);
}

function testNumbersThatJsonHasNot() {
  const answer = echo({ single: Infinity, real: NaN, counts: {} }).message;
  equal([answer.single, answer.real], ['Infinity', 'NaN']);
  equal(echo({ real: -Infinity }).message.real, '-Infinity');
  equal(echo({ real: 1e300, single: -0 }).message.real, 1e300);
}

function testValuesBeyondJson() {
  const at = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6));
  const answer = echo({
    large: 9007199254740993n, raw: new Uint8Array([0, 1, 255]), at, text: new String('boxed'),
    small: new Number(5), flag: new Boolean(true), maybe: undefined, word: () => 1, number: null,
  }).message;
  equal(
    [answer.large, answer.raw, answer.at, answer.text, answer.small, answer.flag],
    ['9007199254740993', 'AAH/', '2026-01-02T03:04:05.006Z', 'boxed', 5, true],
  );
  equal(['maybe' in answer, 'word' in answer, 'number' in answer], [false, false, false]);
  equal(echo({ raw: new Uint8Array([1, 2]).buffer }).message.raw, 'AQI=', 'ArrayBuffer');
}

function testProxies() {
  const parts = new Proxy([{ name: 'a' }], {});
  equal(echo(new Proxy({ parts, small: 1 }, {})).message.parts, [{ name: 'a' }]);
}

function testSharedObjectIsNoCycle() {
  const part = { name: 'twice' };
  equal(echo({ part, parts: [part, part] }).message.parts, [part, part]);
}

function testRequestsThatAreNoMessage() {
  echo({});
  const cycle = {};
  cycle.part = cycle;
  throws(() => echo(cycle), 'unable to normalize number strings: the object contains itself');
  throws(() => echo({ nosuch: 1 }), 'unable to serialise request object to protocol buffer');
  throws(() => echo({ nosuch: 1 }), 'nosuch');
  throws(() => echo({ colour: 'BLUE' }), 'BLUE');
  throws(() => echo({ small: 'many' }), 'small');
  throws(() => echo({ get small() { throw new Error('own getter'); } }), 'own getter');
  throws(() => echo({ part: { toJSON() { throw new Error('own toJSON'); } } }), 'own toJSON');
  throws(() => client.invoke(ECHO), 'request cannot be nil');
  throws(() => client.invoke(ECHO, null), 'request cannot be nil');
  throws(() => client.invoke(ECHO, undefined), 'request cannot be nil');
}

function testMethods() {
  echo({});
  throws(() => client.invoke('', {}), 'method to invoke cannot be empty');
  throws(() => client.invoke('test.v1.Lab/Nosuch', {}), 'method "/test.v1.Lab/Nosuch" not found in file descriptors');
  throws(() => client.invoke('/test.v1.Lab/Nosuch', {}), 'method "/test.v1.Lab/Nosuch" not found in file descriptors');
  throws(() => client.invoke('test.v1.Lab/Upload', {}), 'streams its requests, which gRPC-Web cannot carry');
  equal(client.invoke('/test.v1.Lab/Echo', {}).status, 0, 'leading slash');
  equal(client.invoke('Alone/Echo', { text: 'x' }).message, { text: 'x' }, 'no package');
}

function testServerStreamingMethod() {
  echo({});
  const one = client.invoke('test.v1.Lab/Count', { to: 1 });
  equal([one.status, one.message.small], [grpcweb.StatusOK, 1], 'one message');
  const many = client.invoke('test.v1.Lab/Count', { to: 2 });
  equal([many.status, many.error.message], [grpcweb.StatusUnimplemented, 'the server answered a unary call with more than one message']);
}

function testMetadata() {
  const response = echo({}, { metadata: { 'x-user': 'nr 7', 'token-bin': new Uint8Array([0, 200, 255]) } });
  equal(response.headers['x-user'], ['nr 7']);
  equal(response.headers['x-lab'], ['one', 'two']);
  equal([...response.headers['token-bin'][0]].map((c) => c.charCodeAt(0)), [0, 200, 255], 'bytes');
  equal(response.trailers['x-trailing'], ['last']);
  equal(response.trailers['trail-bin'][0].charCodeAt(0), 255, 'trailer bytes');
  equal('grpc-status' in response.trailers, false);
}

function testParameterFaults() {
  const faults = [
    [{ metadata: { 'x-user': 1 } }, 'metadata "x-user" value must be a string'],
    [{ metadata: { 'x-bin': 'text' } }, 'metadata "x-bin" value must be binary'],
    [{ metadata: 'text' }, 'metadata must be an object'],
    [{ metadata: { 'grpc-timeout': '1S' } }, 'grpc-timeout'],
    [{ metadata: { 'two words': '' } }, 'two words'],
    [{ tags: { list: [1] } }, 'tags'],
    [{ timeout: 'soon' }, 'timeout'],
    [{ timeout: -1 }, 'negative'],
    [{ responseType: 'xml' }, 'responseType'],
    [{ void: true }, 'unknown param: "void"'],
  ];
  for (const [params, text] of faults) {
    throws(() => echo({}, params), "invalid GRPC's client.invoke() parameters: ");
    throws(() => echo({}, params), text);
  }
  echo({}, null);
  echo({}, {});
}

function testErrors() {
  echo({});
  const response = client.invoke(FAIL, { code: grpcweb.StatusFailedPrecondition, message: 'sold out', details: true });
  equal(response.status, grpcweb.StatusFailedPrecondition);
  equal(response.error, {
    code: 9,
    message: 'sold out',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: 'isbn', description: 'must have 13 digits', reason: '', localizedMessage: null }],
      },
      { '@type': 'type.googleapis.com/test.v1.Part', name: 'page' },
      { '@type': 'type.googleapis.com/test.v1.Unknown', value: 'AQID' },
    ],
  });
  equal(response.message.small, 0, 'the message of a failed call has unset fields');
  equal(response.trailers['x-trailing'], ['last']);
  equal(client.invoke(FAIL, { code: 5 }).error, { code: 5, message: '', details: [] });
}

function testEveryStatus() {
  echo({});
  for (let code = 1; code <= 17; code++) {
    equal(client.invoke(FAIL, { code }).status, code);
  }
}

function testDamagedAnswer() {
  echo({});
  const response = client.invoke('test.v1.Lab/Damage', {});
  equal(response.status, grpcweb.StatusInternal);
  contains(response.error.message, 'test.v1.Everything');
}

function testDeadline() {
  echo({});
  for (const timeout of ['50ms', 50, '50']) {
    const response = client.invoke('test.v1.Lab/Hang', {}, { timeout });
    equal([response.status, response.error.code], [grpcweb.StatusDeadlineExceeded, 4]);
  }
}

function testServerIsGone() {
  echo({});
  const response = client.invoke('test.v1.Lab/Drop', {});
  equal([response.status, response.error.code, response.message.small], [grpcweb.StatusUnavailable, 14, 0]);
  equal(echo({}).status, grpcweb.StatusOK, 'the next call connects anew');
}

function testDiscard() {
  equal(echo({ small: 1 }, { discardResponseMessage: true }).message, null);
  equal(echo({ small: 1 }, { responseType: 'none' }).message, null);
  equal(echo({ small: 1 }, { discardResponseMessage: false }).message.small, 1);
}

function testBytes() {
  const message = new Uint8Array([0x10, 0x05]); // field 2, small: 5
  equal(echo(message).message.small, 5, 'Uint8Array');
  equal(echo(message.buffer).message.small, 5, 'ArrayBuffer');
  const answer = echo({ small: 6 }, { responseType: 'binary' }).message;
  equal([...new Uint8Array(answer)], [0x10, 0x06], 'answer');
  equal(client.invoke(FAIL, { code: 5 }, { responseType: 'binary' }).message, null, 'failed call');
}

function testLargeMessage() {
  const text = 'x'.repeat(1 << 20);
  equal(echo({ text }).message.text.length, text.length);
}

function testResponseIsAnObjectLikeAnyOther() {
  const names = ['status', 'message', 'error', 'headers', 'trailers'];
  const response = echo({ small: 2 }, { tags: { kind: 'read' } });
  equal(Object.keys(response), names);
  equal(Object.keys(JSON.parse(JSON.stringify(response))), names, 'as JSON');
  equal(JSON.parse(JSON.stringify(response)).trailers['x-trailing'], ['last'], 'as JSON');
  const copy = { ...response };
  equal([copy.status, copy.headers['x-lab']], [0, ['one', 'two']], 'copy');
  const { status, message: { small } } = response;
  equal([status, small], [0, 2], 'taken apart');
  equal(['headers' in response, 'nosuch' in response, response.nosuch], [true, false, undefined]);
  equal(response.headers === response.headers, true, 'the same object each time');
  equal(response instanceof Object, true);

  response.status = 99;
  response.note = 'mine';
  delete response.error;
  equal(Object.keys(response), ['status', 'message', 'headers', 'trailers', 'note'], 'changed');
  equal([response.status, response.note, response.error], [99, 'mine', undefined], 'changed');
  equal(response.trailers['x-trailing'], ['last'], 'changed');
}
