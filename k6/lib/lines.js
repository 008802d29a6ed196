// The order of scenario a, the same in every style.

const BOOKS = 50;

/** Lines per order, from `LINES`. */
export const LINES = count(__ENV.LINES || '2');

/**
 * @param {string} text
 * @returns {number}
 */
function count(text) {
  const lines = Number(text);
  if (!Number.isInteger(lines) || lines < 1) {
    throw new Error(`LINES=${text} cannot be used; give a whole number from 1 on`);
  }
  return lines;
}

/**
 * Order lines: the books in turn, with one-digit quantities.
 * @returns {{ isbn: string, quantity: number }[]}
 */
export function lines() {
  return Array.from({ length: LINES }, (_, nth) => ({
    isbn: `97800000${String((nth % BOOKS) + 1).padStart(5, '0')}`,
    quantity: (nth % 9) + 1,
  }));
}

/** The id that every order carries. */
export const ORDER_ID = 'ord-1';
