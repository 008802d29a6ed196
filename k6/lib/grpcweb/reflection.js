// Message types from a running server, by the gRPC server reflection protocol. Reflection is a
// bidirectional method; it is called here with one request at a time.

import { call } from './call.js';
import { StatusOK, StatusUnimplemented } from './status.js';
import { wellKnown } from './well-known.js';

/** @typedef {import('./params.js').Connection} Connection */
/** @typedef {import('./params.js').CallParams} CallParams */
/** @typedef {{ fileByFilename: string } | { fileContainingSymbol: string } | { listServices: string }} Question */

/** The versions of the service, newest first. */
const PATHS = [
  '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
];

/** What a server answers in place of files. */
class Refusal extends Error {
  /**
   * @param {number} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * The files of all services of a server.
 * @param {Connection} connection
 * @param {CallParams} params
 * @returns {Uint8Array} a FileDescriptorSet
 */
export function reflect(connection, params) {
  try {
    return fetchFiles(connection, params);
  } catch (error) {
    throw new Error(`server reflection failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * @param {Connection} connection
 * @param {CallParams} params
 * @returns {Uint8Array}
 */
function fetchFiles(connection, params) {
  const { path, services } = listServices(connection, params);
  /** File descriptors by name. @type {Map<string, any>} */
  const files = new Map();
  /** @param {Question} question */
  const fetch = (question) => {
    for (const bytes of ask(connection, path, params, question).fileDescriptorResponse?.fileDescriptorProto ?? []) {
      const file = /** @type {any} */ (descriptorType('FileDescriptorProto').decode(bytes));
      if (!files.has(file.name)) files.set(file.name, file);
    }
  };
  for (const service of services) fetch({ fileContainingSymbol: service });
  // A map also visits what is added to it on the way.
  for (const file of files.values()) {
    for (const name of file.dependency) {
      if (!files.has(name)) fetch({ fileByFilename: name });
    }
  }
  return descriptorType('FileDescriptorSet').encode({ file: Array.from(files.values()) }).finish();
}

/** @param {string} name */
function descriptorType(name) {
  return wellKnown().lookupType(`google.protobuf.${name}`);
}

/**
 * Finds out which version of the service the server has, too.
 * @param {Connection} connection
 * @param {CallParams} params
 * @returns {{ path: string, services: string[] }}
 */
function listServices(connection, params) {
  const problems = [];
  for (const path of PATHS) {
    try {
      const answer = ask(connection, path, params, { listServices: '*' });
      const services = answer.listServicesResponse?.service ?? [];
      return { path, services: services.map((/** @type {{ name: string }} */ { name }) => name) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push(`${path}: ${error.message}`);
      if (error.code !== StatusUnimplemented) break;
    }
  }
  throw new Error(problems.join('; '));
}

/**
 * @param {Connection} connection
 * @param {string} path
 * @param {CallParams} params
 * @param {Question} question
 * @returns {any} a ServerReflectionResponse
 */
function ask(connection, path, params, question) {
  const types = wellKnown();
  const request = types.lookupType('grpc.reflection.v1.ServerReflectionRequest');
  const message = request.encode(question).finish();
  const { answer } = call(connection, path, message, params);
  const { code, message: problem } = answer.status;
  if (code !== StatusOK) throw new Refusal(code, `code = ${code} desc = ${problem}`);
  if (answer.messages.length !== 1) {
    throw new Error(`${answer.messages.length} answers came to one request`);
  }
  const reply = /** @type {any} */ (
    types.lookupType('grpc.reflection.v1.ServerReflectionResponse').decode(answer.messages[0])
  );
  const fault = reply.errorResponse;
  if (fault) throw new Refusal(fault.errorCode, `${JSON.stringify(question)}: ${fault.errorMessage}`);
  return reply;
}
