// Makes exchanges while the main thread waits.

import { workerData } from 'node:worker_threads';

import { exchange } from './exchange.mjs';

const { port, signal } = workerData;

port.on('message', async ({ url, body, params }) => {
  port.postMessage(await exchange(url, body, params));
  Atomics.store(signal, 0, 1);
  Atomics.notify(signal, 0);
});
