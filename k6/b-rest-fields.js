// Scenario b in REST with sparse fieldsets: the four requests of b-rest.js, each for the fields alone that
// the screen shows or needs to find the author.

import http from 'k6/http';

import { answered, checkOperation } from './lib/checks.js';
import { operation } from './lib/sequence.js';
import { summarize } from './lib/summary.js';
import { BASE_URL } from './lib/target.js';

export { options } from './lib/options.js';
export { setup, teardown } from './lib/server-cpu.js';

const book = `${BASE_URL}/api/books/1`;
const firstRound = [
  `${book}?fields=id,title,price,authorId`,
  `${book}/stock?fields=available`,
  `${book}/reviews?limit=2&fields=reviewer,rating,text`,
];

export default operation(() => {
  const [found, stock, reviews] = http.batch(firstRound);
  const author = http.get(`${BASE_URL}/api/authors/${found.json('authorId')}?fields=name`);
  checkOperation(
    () =>
      answered(found, 200, '"id":1,') &&
      answered(stock, 200, '"available":') &&
      answered(reviews, 200, '"reviewer":') &&
      answered(author, 200, '"name":'),
  );
});

export const handleSummary = summarize('b-rest-fields');
