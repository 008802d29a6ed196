import grpc from 'k6/net/grpc';
import { is } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../../../proto'], 'bookstore/bench/v1/bench.proto');
const method = 'bookstore.bench.v1.InventoryService/ReserveStock';
const request = { order_id: 'ord-1', lines: [{ isbn: '9780000000001', quantity: 1 }] };
export default function () {
  is('connect', client.connect(__ENV.GRPC_ADDR, { plaintext: true }), true);
  const response = client.invoke(method, request);
  is('keys', Object.keys(response), ['message', 'error', 'headers', 'trailers', 'status']);
  is('status', response.status, grpc.StatusOK);
  is('error', response.error, null);
  is('headers', response.headers['content-type'], ['application/grpc']);
  is('trailers', response.trailers['grpc-status'], undefined);
  const { reservationId, orderId, expiresAt } = response.message;
  is('names', Object.keys(response.message), ['reservationId', 'orderId', 'expiresAt']);
  is('values', [reservationId.length, orderId], [36, 'ord-1']);
  is('timestamp', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(expiresAt), true);
  const slash = client.invoke(`/${method}`, { orderId: 'ord-1', lines: request.lines });
  is('a slash and the other name', slash.message.orderId, 'ord-1');
  const unknown = client.invoke('bookstore.bench.v1.CatalogService/GetBookDetail', { book_id: 999 });
  is('not found', [unknown.status, unknown.error.code, unknown.error.details.length > -1], [5, 5, true]);
  is('message of an error', unknown.error.message.includes('999'), true);
  is('empty message', unknown.message,
    { id: 0, title: '', priceCents: 0, authorName: '', stock: 0, reviews: [] });
  client.close();
  client.close();
}
