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
  #client;
  #connection;
  #method;
  #params;
  #tags;
  /** @type {Record<Event, ((value: any, metadata: { ts: number }) => void)[]>} */
  #handlers = { data: [], error: [], end: [], metadata: [], status: [] };
  #written = false;
  #ended = false;

  /**
   * @param {Client} client
   * @param {string} method
   * @param {import('k6/x/grpcweb').Params | null} [params]
   */
  constructor(client, method, params) {
    try {
      if (!client) throw new Error('empty gRPC client');
      if (!(client instanceof Client)) throw new Error('not a gRPC client');
      this.#client = client;
      this.#connection = client.connection();
    } catch (error) {
      throw prefixed("invalid GRPC Stream's client", error);
    }
    try {
      this.#method = client.schema.method(method);
    } catch (error) {
      throw prefixed("invalid GRPC Stream's method", error);
    }
    try {
      this.#params = readCallParams(params, NO_TIMEOUT);
    } catch (error) {
      throw prefixed("invalid GRPC Stream's parameters", error);
    }
    this.#tags = tagsOf(this.#connection, this.#method, this.#params.tags);
    countStream(this.#tags);
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
    this.#handlers[event].push(handler);
  }

  /**
   * Sends the one request. After `end` it has no effect.
   * @param {object} request
   */
  write(request) {
    if (this.#ended) return;
    if (request === undefined || request === null) {
      console.warn("can't send empty message");
      return;
    }
    if (this.#written) {
      throw new Error(
        'gRPC-Web carries one request message for each stream, and this stream has sent it; open another stream',
      );
    }
    this.#written = true;
    let message;
    try {
      message = this.#client.schema.encode(this.#method, request);
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
      return;
    }
    this.#deliver(
      untilClose(this.#connection, callAsync(this.#connection, this.#method.path, message, this.#params)),
    );
  }

  /** Nothing more will be written. The answers still come. */
  end() {
    if (!this.#ended && !this.#written) this.#fail('the stream ended before its request was written');
    this.#ended = true;
  }

  /**
   * Ends a stream that never reached the server. Its handlers run when the script waits.
   * @param {string} message
   */
  async #fail(message) {
    this.#ended = true;
    countCall(this.#tags, StatusInternal, 0);
    await Promise.resolve();
    this.#emitEnd({ code: StatusInternal, message, details: null }, {});
  }

  /**
   * A handler that throws rejects the promise, which fails the iteration.
   * @param {Promise<import('./call.js').Outcome>} outcome
   */
  async #deliver(outcome) {
    const { answer, durationMs } = await outcome;
    this.#ended = true;
    countMessages(this.#tags, answer.messages.length);
    if (!answer.statusOnly) this.#emit('metadata', answer.headers);
    const status = this.#emitMessages(answer);
    countCall(this.#tags, status.code, durationMs);
    this.#emitEnd(status, answer.trailers);
  }

  /**
   * @param {Answer} answer
   * @returns {Status} how the stream ended
   */
  #emitMessages(answer) {
    let closed = false;
    const stop = () => {
      closed = true;
    };
    this.#connection.atClose.add(stop);
    try {
      for (const bytes of answer.messages) {
        this.#emit('data', messageOf(this.#client.schema, this.#method, bytes, this.#params) ?? {});
        if (closed) return { code: StatusCanceled, message: CLOSED, details: null };
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { code: error.code, message: error.message, details: null };
    } finally {
      this.#connection.atClose.delete(stop);
    }
    return answer.status;
  }

  /**
   * @param {Status} status
   * @param {import('./metadata.js').ReceivedMetadata} trailers
   */
  #emitEnd(status, trailers) {
    const error = this.#client.schema.errorOf(status);
    if (status.code !== StatusOK) {
      if (this.#handlers.error.length === 0) {
        console.warn(
          `no handlers for error registered, but an error happened: rpc error: code = ${status.code} desc = ${status.message}`,
        );
      }
      this.#emit('error', error);
    }
    this.#emit('status', { ...error, trailers });
    this.#emit('end', {});
  }

  /**
   * @param {Event} event
   * @param {any} value
   */
  #emit(event, value) {
    for (const handler of this.#handlers[event]) {
      handler(value, { ts: Math.floor(Date.now() / 1000) });
    }
  }
}
