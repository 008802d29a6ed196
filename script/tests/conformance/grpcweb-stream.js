import grpcweb from 'k6/x/grpcweb';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const ADDRESS = __ENV.BASE_URL.replace('http://', '');
const client = new grpcweb.Client();
client.load(['../proto'], 'every_kind.proto');
const shop = new grpcweb.Client();
shop.load(['../../../proto'], 'bookstore/bench/v1/bench.proto');

/** All events of a stream; the promise settles at its end. */
const collect = (stream) => new Promise((resolve) => {
  const events = [];
  for (const name of ['metadata', 'data', 'error', 'status']) {
    stream.on(name, (value, { ts }) => events.push({ name, value, ts }));
  }
  stream.on('end', (value, { ts }) => resolve([...events, { name: 'end', value, ts }]));
});
const names = (events) => events.map(({ name }) => name);
const repeat = (params) => new grpcweb.Stream(client, `${EVERY}/Repeat`, params);

export default async function () {
  client.connect(ADDRESS, { plaintext: true });
  const three = repeat({ metadata: { 'x-user': 'me' } });
  const all = collect(three);
  three.write({ int32Value: 3 });
  throws('a second request', 'gRPC-Web carries one request message for each stream', () => three.write({}));
  three.end();
  three.write({});
  const events = await all;
  is('order', names(events), ['metadata', 'data', 'data', 'data', 'status', 'end']);
  is('headers', events[0].value['echo-x-user'], ['me']);
  is('status', [events[4].value.code, events[4].value.message, events[4].value.details, typeof events[4].value.trailers],
    [0, '', [], 'object']);
  is('no time is announced', events[0].value['echo-grpc-timeout'], undefined);

  const failing = repeat({ metadata: { 'x-do': 'details' } });
  const failed = collect(failing);
  failing.write({});
  const ended = await failed;
  is('error before status', names(ended), ['metadata', 'error', 'status', 'end']);
  is('details', [ended[1].value.code, ended[1].value.details[1].int32Value], [3, 7]);

  const nothing = repeat();
  const unwritten = collect(nothing);
  nothing.end();
  is('nothing written', (await unwritten).map(({ name, value }) => [name, value.message || '']).slice(0, 1),
    [['error', 'the stream ended before its request was written']]);
  const odd = repeat();
  const refused = collect(odd);
  odd.write({ nosuch: 1 });
  is('no message', names(await refused), ['error', 'status', 'end']);
  const garbage = repeat({ metadata: { 'x-do': 'garbage' } });
  const damaged = collect(garbage);
  garbage.write({});
  is('damaged', (await damaged).map(({ name, value }) => [name, value.code]).slice(1, 3), [['error', 13], ['status', 13]]);
  const bytes = repeat({ responseType: 'binary' });
  const encoded = collect(bytes);
  bytes.write(new Uint8Array([0x18, 1]));
  is('bytes', [...new Uint8Array((await encoded)[1].value)], [0x18, 1]);
  const discarding = repeat({ discardResponseMessage: true });
  const discarded = collect(discarding);
  discarding.write({ int32Value: 1 });
  is('discarded', (await discarded)[1].value, {});
  const late = repeat({ timeout: 40, metadata: { 'x-do': 'hang' } });
  const overdue = collect(late);
  late.write({});
  is('deadline', (await overdue).map(({ value }) => value.code).slice(0, 1), [4]);
  repeat();
  const unary = new grpcweb.Stream(client, `${EVERY}/Echo`);
  const one = collect(unary);
  unary.write({ int32Value: 9 });
  is('a unary method', (await one)[1].value.int32Value, 9);
  const hanging = repeat({ metadata: { 'x-do': 'hang' } });
  const closed = collect(hanging);
  hanging.write({});
  client.close();
  const [error] = await closed;
  is('closed', [error.name, error.value.code, error.value.message], ['error', 1, 'canceled by client (k6)']);

  for (const [address, params] of [[__ENV.GRPCWEB_ADDR, {}], [__ENV.GRPCWEB_ADDR, { text: true }], [__ENV.GRPC_ADDR, { httpVersion: '2' }]]) {
    shop.connect(address, { plaintext: true, ...params });
    const list = new grpcweb.Stream(shop, 'bookstore.bench.v1.CatalogService/ListReviews');
    const reviews = collect(list);
    list.write({ book_id: 1, limit: 3 });
    is(`server stream ${JSON.stringify(params)}`, names(await reviews), ['metadata', 'data', 'data', 'data', 'status', 'end']);
  }
}
