// The pure-JS gRPC-Web client against the Bookstore server: a call that waits, one that does not, a
// stream and an error, with the contract from its file or, with REFLECT=1, from the server. For stock k6 and Grafana Cloud k6; it fails when any check does.

import { check } from 'k6';

import grpcweb from './lib/grpcweb.js';
import { lines, ORDER_ID } from './lib/lines.js';
import { GRPCWEB_ADDR, GRPCWEB_PARAMS } from './lib/target.js';

export const options = { vus: 1, iterations: 3, thresholds: { checks: ['rate==1'] } };

const client = new grpcweb.Client();
const params = { ...GRPCWEB_PARAMS, text: __ENV.TEXT === '1' };
const reflect = __ENV.REFLECT === '1';
if (!reflect) {
  client.load([import.meta.resolve('../proto')], 'bookstore/bench/v1/bench.proto');
  client.connect(GRPCWEB_ADDR, params);
}

const CATALOG = 'bookstore.bench.v1.CatalogService';

export default async function () {
  if (reflect && __ITER === 0) client.connect(GRPCWEB_ADDR, { ...params, reflect });
  const reserved = client.invoke('bookstore.bench.v1.InventoryService/ReserveStock', {
    order_id: ORDER_ID,
    lines: lines(),
  });
  check(reserved, {
    'stock is reserved': (r) => r.status === grpcweb.StatusOK && r.error === null,
    'for the order': (r) => r.message.orderId === ORDER_ID,
    'for a time': (r) => /^\d{4}-\d\d-\d\dT.*Z$/.test(r.message.expiresAt),
  });

  const detail = await client.asyncInvoke(`${CATALOG}/GetBookDetail`, { bookId: 1, reviewCount: 2 });
  check(detail, {
    'a book is shown': (r) => r.status === grpcweb.StatusOK && r.message.id === 1,
    'with two reviews': (r) => r.message.reviews.length === 2,
  });

  const unknown = client.invoke(`${CATALOG}/GetBookDetail`, { bookId: 0 });
  check(unknown, {
    'an unknown book is not found': (r) => r.status === grpcweb.StatusNotFound,
    'and the server says why': (r) => r.error !== null && r.error.message !== '',
  });

  const reviews = await listReviews(1, 3);
  check(reviews, {
    'reviews are streamed': (r) => r.length === 3,
    'each with its text': (r) => r.every((review) => review.text !== ''),
  });
}

/**
 * @param {number} bookId
 * @param {number} limit
 * @returns {Promise<any[]>}
 */
function listReviews(bookId, limit) {
  return new Promise((resolve, reject) => {
    /** @type {any[]} */
    const reviews = [];
    const stream = new grpcweb.Stream(client, `${CATALOG}/ListReviews`, { timeout: '30s' });
    stream.on('data', (review) => reviews.push(review));
    stream.on('error', (error) => reject(new Error(error.message)));
    stream.on('end', () => resolve(reviews));
    stream.write({ bookId, limit });
    stream.end();
  });
}
