// Connect's client, the npm package @connectrpc/connect-web, over its gRPC-Web transport.
import { createRegistry, fromJson, toJson } from '@bufbuild/protobuf';
import { ConnectError, createClient } from '@connectrpc/connect';
import { createGrpcWebTransport } from '@connectrpc/connect-web';

import { registry } from './contract.mjs';

const detailTypes = createRegistry(
  registry.getMessage('google.rpc.ErrorInfo'), registry.getMessage('google.rpc.BadRequest'),
);

function detailsOf(error) {
  return [...detailTypes].flatMap((type) => error.findDetails(type).map(
    (detail) => ({ type: type.typeName, ...toJson(type, detail) }),
  ));
}

/** A client. Its calls resolve with what the client told. */
export function connectClient() {
  return {
    name: 'connect-web',
    async call(server, method, request, { headers, timeoutMs } = {}) {
      const client = createClient(method.parent, createGrpcWebTransport({ baseUrl: server }));
      const outcome = { messages: [], error: null, status: null };
      const take = (message) => outcome.messages.push(toJson(method.output, message, { alwaysEmitImplicit: true }));
      const options = { headers, timeoutMs };
      try {
        const answer = client[method.localName](fromJson(method.input, request), options);
        if (method.methodKind === 'unary') {
          take(await answer);
        } else {
          for await (const message of answer) take(message);
        }
        outcome.status = 0;
      } catch (thrown) {
        const error = ConnectError.from(thrown);
        outcome.status = error.code;
        outcome.error = { code: error.code, message: error.rawMessage, details: detailsOf(error) };
      }
      return outcome;
    },
  };
}
