// Operations of several requests, each of which needs the answer to the one before.

/** Requests per operation, from `CALLS`. */
export const CALLS = count(__ENV.CALLS || '4');

/**
 * @param {string} text
 * @returns {number}
 */
function count(text) {
  const calls = Number(text);
  if (!Number.isInteger(calls) || calls < 1 || calls > 50) {
    throw new Error(`CALLS=${text} cannot be used; give a whole number from 1 to 50`);
  }
  return calls;
}

/**
 * Asks for book 1, then again and again for the book after the one that was found.
 * @param {(book: number) => number} ask the id in the right answer for a book; another number when it
 *   is none
 * @returns {boolean} whether every answer was right
 */
export function callInTurn(ask) {
  let book = 1;
  while (book <= CALLS) {
    const found = ask(book);
    if (found !== book) return false;
    book = found + 1;
  }
  return true;
}
