// Scenario b in gRPC without a method for the screen: book, stock, reviews and author, a call for each.

import grpc from 'k6/net/grpc';

import { checkOperation } from './lib/checks.js';
import { summarize } from './lib/summary.js';
import { GRPC_ADDR, GRPC_PARAMS } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const client = new grpc.Client();
client.load(['../proto'], 'bookstore/bench/v1/bench.proto');

const service = 'bookstore.bench.v1.ResourceService';

/**
 * @typedef {{ id?: number, bookId?: number, authorId?: number, name?: string, reviews?: unknown[] }} Resource
 */

/**
 * The message of a call that ended well, or an empty one.
 *
 * @param {string} method
 * @param {object} request
 * @returns {Resource}
 */
function get(method, request) {
  const response = client.invoke(`${service}/${method}`, request);
  return response.status === grpc.StatusOK ? /** @type {Resource} */ (response.message) : {};
}

export default function () {
  if (__ITER === 0) {
    client.connect(GRPC_ADDR, GRPC_PARAMS);
  }
  const book = get('GetBook', { book_id: 1 });
  const stock = get('GetStock', { book_id: 1 });
  const reviews = get('GetReviews', { book_id: 1, limit: 2 });
  const author = get('GetAuthor', { author_id: book.authorId });
  checkOperation(
    () => book.id === 1 && stock.bookId === 1 && reviews.reviews?.length === 2 && Boolean(author.name),
  );
}

export const handleSummary = summarize('b-grpc-resources');
