import grpc, { Client, Stream } from 'k6/net/grpc';
import { is, throws, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const shop = new Client();
shop.load(['../../../proto'], 'bookstore/bench/v1/bench.proto');
const odd = new Client();
odd.load(['../proto'], 'every_kind.proto');

const finished = (stream) => new Promise((resolve) => {
  const seen = { data: [], errors: [] };
  stream.on('data', (message, { ts }) => seen.data.push(message) && (seen.ts = ts));
  stream.on('error', (error) => seen.errors.push(error));
  stream.on('end', (nothing, { ts }) => resolve({ ...seen, nothing, endTs: ts }));
});

export default async function () {
  throws('no client', "invalid GRPC Stream's client: empty gRPC client", () => new Stream());
  throws('another object', "invalid GRPC Stream's client: not a gRPC client", () => new Stream({}, 'a/b'));
  throws('not connected', 'no gRPC connection', () => new Stream(odd, 'a/b'));
  shop.connect(__ENV.GRPC_ADDR, { plaintext: true });
  odd.connect(__ENV.ODD_ADDR, { plaintext: true });
  throws('no method', "invalid GRPC Stream's method: method to invoke cannot be empty", () => new Stream(odd));
  throws('unknown method', "invalid GRPC Stream's method: method \"/a/b\" not found", () => new Stream(odd, 'a/b'));
  throws('params', "invalid GRPC Stream's parameters: unknown param", () => new Stream(odd, `${EVERY}/Chat`, { x: 1 }));

  const list = new Stream(shop, 'bookstore.bench.v1.CatalogService/ListReviews');
  const reviews = finished(list);
  list.write({ book_id: 1, limit: 3 });
  list.end();
  const listed = await reviews;
  is('server stream', [listed.data.length, listed.errors.length, Object.keys(listed.data[0])],
    [3, 0, ['reviewer', 'rating', 'text']]);
  is('time in seconds', Math.abs(listed.ts - Date.now() / 1000) < 60 && Number.isInteger(listed.endTs), true);

  const chat = new Stream(odd, `${EVERY}/Chat`, { tags: { kind: 'chat' } });
  const chatted = finished(chat);
  let answered = 0;
  chat.on('data', ({ int32Value }) => {
    answered = int32Value;
    if (int32Value < 5) chat.write({ int32Value: int32Value + 1 });
    else chat.end();
  });
  chat.write({ int32Value: 1 });
  is('both ways', [(await chatted).data.length, answered], [5, 5]);
  chat.write({ int32Value: 9 });

  const failing = new Stream(odd, `${EVERY}/Chat`, { metadata: { 'x-do': 'details:every.kind.v1.Everything' } });
  const failed = finished(failing);
  failing.end();
  const { errors } = await failed;
  is('error first, then end', [errors.length, errors[0].code, errors[0].details[0].int32Value], [1, 9, 7]);

  const bad = new Stream(odd, `${EVERY}/Chat`);
  const badEnd = finished(bad);
  bad.write({ unknown: 1 });
  bad.write(null);
  bad.end();
  bad.write({});
  is('a message that does not fit', (await badEnd).errors[0].message.includes('unable to serialise'), true);

  const late = new Stream(odd, `${EVERY}/Chat`, { timeout: 40, metadata: { 'x-do': 'hang' } });
  is('timeout', (await finished(late)).errors.map((error) => error.code), [4]);

  const empty = new Stream(odd, `${EVERY}/Chat`, { discardResponseMessage: true });
  const emptied = finished(empty);
  empty.write({ int32Value: 1 });
  empty.end();
  is('discarded', (await emptied).data, [{}]);

  throws('a handler that is none', 'isn\'t a callable function', () => empty.on('data', 1));
  new Stream(odd, `${EVERY}/Chat`).on('nothing', () => {});
  odd.close();
}
