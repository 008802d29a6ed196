import grpc from 'k6/net/grpc';
import { EVERY } from './lib/expect.js';

export const options = {
  scenarios: {
    waits: { executor: 'per-vu-iterations', maxDuration: '1s', gracefulStop: '0s', exec: 'waits' },
    streams: { executor: 'per-vu-iterations', maxDuration: '1s', gracefulStop: '0s', exec: 'streams' },
  },
};
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export function waits() {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  client.invoke(`${EVERY}/Echo`, {}, { metadata: { 'x-do': 'hang' } });
}
export function streams() {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  new grpc.Stream(client, `${EVERY}/Chat`).on('end', () => console.log('must not end'));
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
