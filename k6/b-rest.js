// Scenario b in REST, as a browser does it: book, stock and reviews side by side, then the author,
// whose id the book tells. Four requests in two rounds.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const book = `${BASE_URL}/api/books/1`;
const firstRound = [`${book}`, `${book}/stock`, `${book}/reviews?limit=2`];

export default operation(() => {
  const [found, stock, reviews] = http.batch(firstRound);
  const author = http.get(`${BASE_URL}/api/authors/${found.json('authorId')}`);
  checkOperation(
    () =>
      answered(found, 200, '"id":1,') &&
      answered(stock, 200, '"bookId":1,') &&
      answered(reviews, 200, '"bookId":1,') &&
      answered(author, 200, '"name":'),
  );
});

export const handleSummary = summarize('b-rest');
