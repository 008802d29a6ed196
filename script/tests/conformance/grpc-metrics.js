import grpc from 'k6/net/grpc';
import { EVERY } from './lib/expect.js';

const part = (tags) => [`grpc_req_duration{${tags}}`, ['avg>=0']];
export const options = {
  iterations: 2,
  summaryTrendStats: ['count', 'max'],
  thresholds: Object.fromEntries([
    part('status:0'), part('status:5'), part('name:/every.kind.v1.EchoService/Echo'), part('name:own'),
    part('service:every.kind.v1.EchoService'), part('method:Echo'), part('scenario:default'),
    part(`url:${__ENV.ODD_ADDR}/every.kind.v1.EchoService/Echo`), part('kind:x'),
    ['grpc_streams_msgs_sent{method:Chat}', ['count>=0']],
  ]),
};
const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default async function () {
  if (__ITER === 0) client.connect(__ENV.ODD_ADDR, { plaintext: true });
  client.invoke(`${EVERY}/Echo`, {});
  client.invoke(`${EVERY}/Echo`, {}, { metadata: { 'x-do': 'status:5' } });
  client.invoke(`${EVERY}/Echo`, {}, { tags: { name: 'own', kind: 'x' } });
  const stream = new grpc.Stream(client, `${EVERY}/Chat`);
  const ended = new Promise((resolve) => { stream.on('end', resolve); });
  for (let nth = 0; nth < 3; nth += 1) stream.write({});
  stream.end();
  await ended;
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
