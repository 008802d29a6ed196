// Stands in for k6/http, as far as the gRPC-Web client uses it: `post` waits, `asyncRequest` does not.

import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

import { exchange } from './exchange.mjs';

const signal = new Int32Array(new SharedArrayBuffer(4));
const { port1, port2 } = new MessageChannel();
const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
  workerData: { port: port2, signal },
  transferList: [port2],
});
worker.unref();
port1.unref();

function post(url, body, params) {
  checkParams(params);
  Atomics.store(signal, 0, 0);
  port1.postMessage({ url, body, params });
  Atomics.wait(signal, 0, 0);
  return receiveMessageOnPort(port1).message;
}

async function asyncRequest(method, url, body, params) {
  if (method !== 'POST') throw new Error(`${method} is not what gRPC-Web uses`);
  checkParams(params);
  return exchange(url, body, params);
}

/** What a call must ask of k6/http, lest it work here alone. */
function checkParams({ redirects, responseType, throw: throwing }) {
  if (redirects !== 0 || responseType !== 'binary' || throwing !== false) {
    throw new Error('a call needs redirects: 0, responseType: "binary" and throw: false');
  }
}

export default { post, asyncRequest };
