import grpcweb from 'k6/x/grpcweb';
import { EVERY } from './lib/expect.js';

const ADDRESS = __ENV.BASE_URL.replace('http://', '');
const parts = (metric, ...tags) => tags.map((tag) => [`${metric}{${tag}}`, ['count>=0']]);
const durations = (...tags) => tags.map((tag) => [`grpcweb_req_duration{${tag}}`, ['avg>=0']]);
export const options = {
  iterations: 2,
  summaryTrendStats: ['count', 'max'],
  thresholds: Object.fromEntries([
    ...durations('status:0', 'status:5', 'name:own', 'service:every.kind.v1.EchoService', 'method:Echo', 'scenario:default'),
    ...parts('grpcweb_reqs', `url:${ADDRESS}/gateway/every.kind.v1.EchoService/Echo`, 'status:5', 'name:/every.kind.v1.EchoService/Echo', 'kind:x'),
    ...parts('grpcweb_streams_msgs_sent', 'method:Repeat'),
    ['grpcweb_req_failed{status:5}', ['rate==1']],
  ]),
};
const client = new grpcweb.Client();
client.load(['../proto'], 'every_kind.proto');
export default async function () {
  if (__ITER === 0) client.connect(ADDRESS, { plaintext: true, basePath: 'gateway' });
  client.invoke(`${EVERY}/Echo`, {});
  client.invoke(`${EVERY}/Echo`, {}, { metadata: { 'x-do': 'status:5' } });
  client.invoke(`${EVERY}/Echo`, {}, { tags: { name: 'own', kind: 'x' } });
  const stream = new grpcweb.Stream(client, `${EVERY}/Repeat`);
  const ended = new Promise((resolve) => { stream.on('end', resolve); });
  stream.write({ int32Value: 3 });
  await ended;
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
