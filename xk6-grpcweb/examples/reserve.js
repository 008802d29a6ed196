// Reserves stock at the Bookstore server by a unary call, and reads reviews from a server stream.
//
//   cargo run --release -- serve &          # in the root of the repository
//   ./k6 run xk6-grpcweb/examples/reserve.js
//
// GRPCWEB_ADDR is where the server listens, host:port without a scheme.

import { check } from 'k6';
import grpcweb from 'k6/x/grpcweb';

export const options = {
  vus: 2,
  iterations: 20,
  thresholds: {
    checks: ['rate==1'],
    grpcweb_req_failed: ['rate<0.6'], // every other call below fails on purpose
    'grpcweb_req_duration{method:ReserveStock}': ['p(95)<500'],
  },
};

const ADDRESS = __ENV.GRPCWEB_ADDR || '127.0.0.1:5300';

const client = new grpcweb.Client();
client.load(['../../proto'], 'bookstore/bench/v1/bench.proto');

/** @param {string} orderId */
function reserve(orderId) {
  return client.invoke('bookstore.bench.v1.InventoryService/ReserveStock', {
    orderId,
    lines: [{ isbn: '9780000000001', quantity: 2 }],
  });
}

/**
 * @param {number} bookId
 * @returns {Promise<string[]>} the reviewers
 */
function reviewers(bookId) {
  const stream = new grpcweb.Stream(client, 'bookstore.bench.v1.CatalogService/ListReviews');
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const names = [];
    stream.on('data', (review) => names.push(review.reviewer));
    stream.on('error', (error) => reject(new Error(`${error.code}: ${error.message}`)));
    stream.on('end', () => resolve(names));
    stream.write({ bookId, limit: 2 });
    stream.end();
  });
}

export default async function () {
  if (__ITER === 0) client.connect(ADDRESS, { plaintext: true });

  const reserved = reserve('ord-1');
  check(reserved, {
    'stock is reserved': (r) => r.status === grpcweb.StatusOK && r.message.orderId === 'ord-1',
  });

  const refused = reserve('');
  check(refused, {
    'an order without id is refused': (r) => r.status === grpcweb.StatusInvalidArgument && r.error !== null,
  });

  const names = await reviewers(1);
  check(names, { 'two reviews came': (n) => n.length === 2 });
}
