// The screen from four REST resources, whose answers a cache may give.

import { checkOperation } from './checks.js';
import { get, getAll } from './http-cache.js';
import { BASE_URL } from './target.js';

const book = `${BASE_URL}/api/books/1`;
const firstRound = [`${book}`, `${book}/stock`, `${book}/reviews?limit=2`];

/** Book, stock and reviews side by side, then the author: what is not in the cache. */
export function showScreen() {
  const [found, stock, reviews] = getAll(firstRound);
  const author = get(`${BASE_URL}/api/authors/${JSON.parse(found.body).authorId}`);
  const has = (/** @type {import('./http-cache.js').Answer} */ answer, /** @type {string} */ text) =>
    answer.status === 200 && answer.body.includes(text);
  checkOperation(
    () =>
      has(found, '"id":1,') &&
      has(stock, '"bookId":1,') &&
      has(reviews, '"bookId":1,') &&
      has(author, '"name":'),
  );
}
