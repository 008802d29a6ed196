import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
let deep = {};
for (let depth = 0; depth < 97; depth += 1) deep = { nested: deep };
let answered = 0;
let last = '';

/** Calls where the stack has just room for JavaScript. */
function dive() {
  try {
    dive();
  } catch (error) {
    if (answered >= 3) throw error;
    last = error.message;
    const { status, message } = client.invoke(`${EVERY}/Echo`, deep);
    if (status === grpc.StatusOK && message.nested.nested) answered += 1;
    throw error;
  }
}

export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  try { dive(); } catch (error) { is('the end of the stack', error instanceof RangeError, true); }
  is(`deep messages near it: ${last}`, answered, 3);
}
