// A server that answers as a test says.

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Runs in a thread of its own, because a call of the client under test holds up this one.
 * @returns {Promise<{ address: string, ask: (message: any) => Promise<any>, stop: () => Promise<number> }>}
 */
export async function startServer() {
  const worker = new Worker(new URL('./server-worker.mjs', import.meta.url));
  const [address] = await once(worker, 'message');
  const ask = async (message) => {
    worker.postMessage(message);
    const [reply] = await once(worker, 'message');
    return reply;
  };
  return { address, ask, stop: () => worker.terminate() };
}
