// What becomes of plain gRPC, hand-made, in a browser.
import { fromJson, toBinary } from '@bufbuild/protobuf';

import { methods, pathOf } from './contract.mjs';
import { holds, same } from './expect.mjs';

function call(server, contentType) {
  const method = methods.getBookDetail;
  const message = toBinary(method.input, fromJson(method.input, { bookId: 1 }));
  const body = new Uint8Array(5 + message.length);
  new DataView(body.buffer).setUint32(1, message.length);
  body.set(message, 5);
  return fetch(server + pathOf(method), { method: 'POST', headers: { 'content-type': contentType }, body });
}

// Without TLS a browser speaks HTTP/1.1, which gRPC does not have.
async function refusedOverHttp1({ server }) {
  const answer = await call(server, 'application/grpc');
  same(answer.status, 505, 'the HTTP status');
}

async function noPriorKnowledge({ http2Server }) {
  const failure = await call(http2Server, 'application/grpc').then(() => null, (error) => error);
  holds(failure instanceof TypeError, `fetch gave ${failure}, not a network error`);
}

// With TLS it speaks HTTP/2, but no script sees the trailers, in which gRPC has its status.
async function noTrailers({ relay }) {
  const answer = await call(relay, 'application/grpc');
  same(answer.status, 200, 'the HTTP status');
  const body = new Uint8Array(await answer.arrayBuffer());
  same(body.length, 5 + new DataView(body.buffer).getUint32(1), 'the length of the one message');
  same(answer.headers.get('grpc-status'), null, 'grpc-status');
  holds(!('trailers' in answer) && !('trailer' in answer), 'this browser shows trailers');
}

// The very same way, gRPC-Web has its status in the body.
async function statusInTheBody({ relay }) {
  const answer = await call(relay, 'application/grpc-web+proto');
  const text = String.fromCharCode(...new Uint8Array(await answer.arrayBuffer()));
  holds(/\x80\0\0\0.grpc-status: ?0\r\n$/s.test(text), `no trailer frame in ${JSON.stringify(text)}`);
}

/** The facts by name. */
export const facts = {
  'plain gRPC over HTTP/1.1 is refused': refusedOverHttp1,
  'HTTP/2 without TLS is out of reach': noPriorKnowledge,
  'plain gRPC over HTTP/2 and TLS loses its status': noTrailers,
  'gRPC-Web over the same connection has it in the body': statusInTheBody,
};
