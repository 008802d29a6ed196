// The official client, the npm package grpc-web, in one of its two formats.
import { create, fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import { GrpcWebClientBase, MethodDescriptor, MethodType } from 'grpc-web';

import { pathOf, registry } from './contract.mjs';

function describe(method) {
  return new MethodDescriptor(
    pathOf(method),
    method.methodKind === 'unary' ? MethodType.UNARY : MethodType.SERVER_STREAMING,
    Object,
    Object,
    (request) => toBinary(method.input, request),
    (bytes) => fromBinary(method.output, bytes),
  );
}

function detailsOf(metadata) {
  const encoded = metadata?.['grpc-status-details-bin'];
  if (!encoded) return [];
  const status = fromBinary(registry.getMessage('google.rpc.Status'), base64Decode(encoded));
  return status.details.map((any) => {
    const type = registry.getMessage(any.typeUrl.slice(any.typeUrl.lastIndexOf('/') + 1));
    return { type: type.typeName, ...toJson(type, fromBinary(type, any.value), { registry }) };
  });
}

/** A client in the format 'text' or 'binary'. Its calls resolve with what the client told. */
export function officialClient(format) {
  const client = new GrpcWebClientBase({ format });
  return {
    name: `grpc-web, ${format}`,
    call: (server, method, request, { headers = {}, timeoutMs } = {}) => new Promise((resolve) => {
      const outcome = { messages: [], error: null, status: null };
      const take = (message) => outcome.messages.push(toJson(method.output, message, { alwaysEmitImplicit: true }));
      const fail = ({ code, message, metadata }) => {
        outcome.error = { code, message, details: detailsOf(metadata) };
      };
      const settle = () => setTimeout(() => resolve(outcome)); // the status comes behind the rest

      const metadata = { ...headers };
      if (timeoutMs) metadata.deadline = String(Date.now() + timeoutMs);
      const call = [server + pathOf(method), fromJson(method.input, request), metadata, describe(method)];
      let stream;
      if (method.methodKind === 'unary') {
        stream = client.rpcCall(...call, (error, message) => {
          if (error) fail(error);
          else take(message);
          settle();
        });
      } else {
        stream = client.serverStreaming(...call);
        stream.on('data', take);
        stream.on('error', (error) => { fail(error); settle(); });
        stream.on('end', settle);
      }
      stream.on('status', ({ code }) => { outcome.status = code; });
    }),
  };
}
