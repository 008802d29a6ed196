// The client.

import { failed, withOneMessage } from './answer.js';
import { exactBuffer } from './bytes.js';
import { call, callAsync } from './call.js';
import { Fault } from './fault.js';
import { countCall, tagsOf } from './metrics.js';
import { readCallParams, readConnection } from './params.js';
import { reflect } from './reflection.js';
import { Schema } from './schema.js';
import { StatusCanceled, StatusOK } from './status.js';
import { wellKnown } from './well-known.js';

/** @typedef {import('./answer.js').Answer} Answer */
/** @typedef {import('./call.js').Outcome} Outcome */
/** @typedef {import('./params.js').CallParams} CallParams */
/** @typedef {import('./params.js').Connection} Connection */
/** @typedef {import('./schema.js').Method} Method */

/**
 * @typedef {object} Response
 * @property {number} status
 * @property {any} message
 * @property {import('./schema.js').GrpcError | null} error
 * @property {import('./metadata.js').ReceivedMetadata} headers
 * @property {import('./metadata.js').ReceivedMetadata} trailers
 */

/**
 * @typedef {object} Prepared a call that is ready to be made
 * @property {Connection} connection
 * @property {Method} method
 * @property {Uint8Array} message
 * @property {CallParams} params
 */

const INVOKE_TIMEOUT = { ms: 120000, ns: 0 };
const HEALTH_PATH = '/grpc.health.v1.Health/Check';
export const CLOSED = 'canceled by client (k6)';

/** A client of one server. */
export class Client {
  constructor() {
    /** @type {Connection | null} */
    this._connection = null;
    /** Message types that this client knows. */
    this.schema = new Schema();
  }

  /**
   * Compiles `.proto` files and their imports; init context only. Paths are those of k6's `open`.
   * @param {string[] | null | undefined} importPaths the script's folder when there are none
   * @param {...string} protoFiles
   */
  load(importPaths, ...protoFiles) {
    return this.schema.load(importPaths, protoFiles);
  }

  /**
   * Loads a serialized FileDescriptorSet: a path, in the init context only, or its bytes.
   * @param {string | ArrayBuffer | Uint8Array} source
   */
  loadProtoset(source) {
    return this.schema.loadProtoset(source);
  }

  /**
   * Says where the server is. k6/http connects with the first call, which is here only with `reflect`.
   * @param {string} address `host:port`
   * @param {Partial<import('k6/x/grpcweb').ConnectParams> | null} [params]
   * @returns {boolean} true
   */
  connect(address, params) {
    let connection;
    try {
      connection = readConnection(address, params);
    } catch (error) {
      throw prefixed('invalid grpc.connect() parameters', error);
    }
    if (connection.reflection) this.schema.loadProtoset(reflect(connection, connection.reflection));
    this.close();
    this._connection = connection;
    return true;
  }

  /**
   * Makes a unary call and waits for it. Throws for wrong arguments only.
   * @param {string} method `package.Service/Method`
   * @param {object} request
   * @param {import('k6/x/grpcweb').Params | null} [params]
   * @returns {Response}
   */
  invoke(method, request, params) {
    const prepared = this._prepare(method, request, params);
    return this._responseOf(
      prepared,
      call(prepared.connection, prepared.method.path, prepared.message, prepared.params),
    );
  }

  /**
   * Like invoke, without waiting. Wrong arguments reject the promise.
   * @param {string} method
   * @param {object} request
   * @param {import('k6/x/grpcweb').Params | null} [params]
   * @returns {Promise<Response>}
   */
  async asyncInvoke(method, request, params) {
    const prepared = this._prepare(method, request, params);
    const outcome = await untilClose(
      prepared.connection,
      callAsync(prepared.connection, prepared.method.path, prepared.message, prepared.params),
    );
    return this._responseOf(prepared, outcome);
  }

  /**
   * Asks the server whether it, or one of its services, is serving. Throws when that call fails.
   * @param {string} [service]
   * @returns {{ status: number }}
   */
  healthCheck(service = '') {
    const connection = this.connection();
    const types = wellKnown();
    const message = types.lookupType('grpc.health.v1.HealthCheckRequest').encode({ service }).finish();
    const params = readCallParams(null, INVOKE_TIMEOUT);
    const outcome = call(connection, HEALTH_PATH, message, params);
    const answer = withOneMessage(outcome.answer);
    countCall({}, answer.status.code, outcome.durationMs);
    if (answer.status.code !== StatusOK) {
      throw new Error(`rpc error: code = ${answer.status.code} desc = ${answer.status.message}`);
    }
    const reply = types.lookupType('grpc.health.v1.HealthCheckResponse').decode(answer.messages[0]);
    return { status: /** @type {any} */ (reply).status };
  }

  /** Forgets the server. Calls that are in flight end as CANCELLED; k6/http cannot break off theirs. */
  close() {
    const connection = this._connection;
    this._connection = null;
    for (const stop of connection?.atClose ?? []) stop();
  }

  /**
   * Where the server is.
   * @returns {Connection}
   */
  connection() {
    if (!this._connection) throw new Error('no gRPC connection, you must call connect first');
    return this._connection;
  }

  /**
   * @param {string} name
   * @param {unknown} request
   * @param {unknown} params
   * @returns {Prepared}
   */
  _prepare(name, request, params) {
    const connection = this.connection();
    const method = this.schema.method(name);
    let read;
    try {
      read = readCallParams(params, INVOKE_TIMEOUT);
    } catch (error) {
      throw prefixed("invalid GRPC's client.invoke() parameters", error);
    }
    if (request === undefined || request === null) throw new Error('request cannot be nil');
    return { connection, method, message: this.schema.encode(method, request), params: read };
  }

  /**
   * @param {Prepared} prepared
   * @param {Outcome} outcome
   * @returns {Response}
   */
  _responseOf({ connection, method, params }, outcome) {
    const answer = withOneMessage(outcome.answer);
    let { status } = answer;
    let message = null;
    try {
      const bytes = status.code === StatusOK ? answer.messages[0] : new Uint8Array(0);
      message = messageOf(this.schema, method, bytes, params);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // An error has the message of no bytes, and a type with required fields has none.
      if (status.code === StatusOK) status = { code: error.code, message: error.message, details: null };
    }
    countCall(tagsOf(connection, method, params.tags), status.code, outcome.durationMs);
    return {
      status: status.code,
      message,
      error: status.code === StatusOK ? null : this.schema.errorOf(status),
      headers: answer.headers,
      trailers: answer.trailers,
    };
  }
}

/**
 * A message as the script wants it.
 * @param {Schema} schema
 * @param {Method} method
 * @param {Uint8Array} bytes
 * @param {CallParams} params
 * @returns {any}
 */
export function messageOf(schema, method, bytes, { responseType }) {
  if (responseType === 'none') return null;
  if (responseType === 'binary') return exactBuffer(bytes);
  return schema.decode(method, bytes);
}

/**
 * The outcome of a call, or of its client's close when that comes first.
 * @param {Connection} connection
 * @param {Promise<Outcome>} outcome
 * @returns {Promise<Outcome>}
 */
export function untilClose(connection, outcome) {
  const started = Date.now();
  return new Promise((resolve, reject) => {
    const stop = () =>
      resolve({ answer: failed(StatusCanceled, CLOSED), durationMs: Date.now() - started });
    connection.atClose.add(stop);
    outcome.then(resolve, reject).finally(() => connection.atClose.delete(stop));
  });
}

/**
 * @param {string} prefix
 * @param {unknown} error
 */
export function prefixed(prefix, error) {
  return new Error(`${prefix}: ${error instanceof Error ? error.message : String(error)}`);
}
