// The server of server.mjs. It keeps the requests that come, and answers all alike.

import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

let answer = { http: 200, ct: 'application/grpc-web+proto', headers: {}, body: '' };
let requests = [];

const server = createServer(async (incoming, outgoing) => {
  const pieces = [];
  for await (const piece of incoming) pieces.push(piece);
  requests.push({ path: incoming.url, headers: incoming.headers, body: Buffer.concat(pieces).toString('hex') });
  await pause(answer.delayMs ?? 0);
  const headers = { 'content-type': answer.ct, ...answer.headers };
  outgoing.writeHead(answer.http, headers);
  let rest = Buffer.from(answer.body, 'hex');
  for (const size of answer.chunks ?? []) {
    outgoing.write(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  if (answer.breaks) outgoing.destroy();
  else outgoing.end(rest);
});

parentPort.on('message', (message) => {
  if (message.answer) answer = message.answer;
  parentPort.postMessage(requests);
  requests = [];
});

server.listen(0, '127.0.0.1', () => {
  parentPort.postMessage(`127.0.0.1:${server.address().port}`);
});
