// A server stream. k6/http hands over a body when all of it has come, so every event comes then.

import { callAsync } from './call.js';
import { Client, CLOSED, messageOf, prefixed, untilClose } from './client.js';
import { Fault } from './fault.js';
import { countCall, countMessages, countStream, tagsOf } from './metrics.js';
import { readCallParams } from './params.js';
import { StatusCanceled, StatusInternal, StatusOK } from './status.js';

/** @typedef {import('./answer.js').Answer} Answer */
/** @typedef {'data' | 'error' | 'end' | 'metadata' | 'status'} Event */
/** @typedef {import('./status.js').Status} Status */

/** @type {Event[]} */
const EVENTS = ['data', 'error', 'end', 'metadata', 'status'];
const NO_TIMEOUT = { ms: 0, ns: 0 };

export class Stream {
  /**
   * @param {Client} client
   * @param {string} method
   * @param {import('k6/x/grpcweb').Params | null} [params]
   */
  constructor(client, method, params) {
    /** @type {Record<Event, ((value: any, metadata: { ts: number }) => void)[]>} */
    this._handlers = { data: [], error: [], end: [], metadata: [], status: [] };
    this._written = false;
    this._ended = false;
    try {
      if (!client) throw new Error('empty gRPC client');
      if (!(client instanceof Client)) throw new Error('not a gRPC client');
      this._client = client;
      this._connection = client.connection();
    } catch (error) {
      throw prefixed("invalid GRPC Stream's client", error);
    }
    try {
      this._method = client.schema.method(method);
    } catch (error) {
      throw prefixed("invalid GRPC Stream's method", error);
    }
    try {
      this._params = readCallParams(params, NO_TIMEOUT);
    } catch (error) {
      throw prefixed("invalid GRPC Stream's parameters", error);
    }
    this._tags = tagsOf(this._connection, this._method, this._params.tags);
    countStream(this._tags);
  }

  /**
   * Adds a handler. Handlers of one event run in the order in which they were added.
   * @param {Event} event
   * @param {(value: any, metadata: { ts: number }) => void} handler
   */
  on(event, handler) {
    if (typeof handler !== 'function') {
      throw new Error(`handler of the event ${JSON.stringify(event)} must be a function, not ${String(handler)}`);
    }
    if (!EVENTS.includes(event)) {
      const names = EVENTS.join(', ');
      console.warn(`unknown stream event ${JSON.stringify(event)} has no effect; the events are ${names}`);
      return;
    }
    this._handlers[event].push(handler);
  }

  /**
   * Sends the one request. After `end` it has no effect.
   * @param {object} request
   */
  write(request) {
    if (this._ended) return;
    if (request === undefined || request === null) {
      console.warn("can't send empty message");
      return;
    }
    if (this._written) {
      throw new Error(
        'gRPC-Web carries one request message for each stream, and this stream has sent it; open another stream',
      );
    }
    this._written = true;
    let message;
    try {
      message = this._client.schema.encode(this._method, request);
    } catch (error) {
      this._fail(error instanceof Error ? error.message : String(error));
      return;
    }
    this._deliver(
      untilClose(this._connection, callAsync(this._connection, this._method.path, message, this._params)),
    );
  }

  /** Nothing more will be written. The answers still come. */
  end() {
    if (!this._ended && !this._written) this._fail('the stream ended before its request was written');
    this._ended = true;
  }

  /**
   * Ends a stream that never reached the server. Its handlers run when the script waits.
   * @param {string} message
   */
  async _fail(message) {
    this._ended = true;
    countCall(this._tags, StatusInternal, 0);
    await Promise.resolve();
    this._emitEnd({ code: StatusInternal, message, details: null }, {});
  }

  /**
   * A handler that throws rejects the promise, which fails the iteration.
   * @param {Promise<import('./call.js').Outcome>} outcome
   */
  async _deliver(outcome) {
    const { answer, durationMs } = await outcome;
    this._ended = true;
    countMessages(this._tags, answer.messages.length);
    if (!answer.statusOnly) this._emit('metadata', answer.headers);
    const status = this._emitMessages(answer);
    countCall(this._tags, status.code, durationMs);
    this._emitEnd(status, answer.trailers);
  }

  /**
   * @param {Answer} answer
   * @returns {Status} how the stream ended
   */
  _emitMessages(answer) {
    let closed = false;
    const stop = () => {
      closed = true;
    };
    this._connection.atClose.add(stop);
    try {
      for (const bytes of answer.messages) {
        this._emit('data', messageOf(this._client.schema, this._method, bytes, this._params) ?? {});
        if (closed) return { code: StatusCanceled, message: CLOSED, details: null };
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { code: error.code, message: error.message, details: null };
    } finally {
      this._connection.atClose.delete(stop);
    }
    return answer.status;
  }

  /**
   * @param {Status} status
   * @param {import('./metadata.js').ReceivedMetadata} trailers
   */
  _emitEnd(status, trailers) {
    const error = this._client.schema.errorOf(status);
    if (status.code !== StatusOK) {
      if (this._handlers.error.length === 0) {
        console.warn(
          `no handlers for error registered, but an error happened: rpc error: code = ${status.code} desc = ${status.message}`,
        );
      }
      this._emit('error', error);
    }
    this._emit('status', { ...error, trailers });
    this._emit('end', {});
  }

  /**
   * @param {Event} event
   * @param {any} value
   */
  _emit(event, value) {
    for (const handler of this._handlers[event]) {
      handler(value, { ts: Math.floor(Date.now() / 1000) });
    }
  }
}
