// GraphQL documents that are named instead of sent: by their SHA-256 hash, as Apollo's clients do it, or by
// a short id that the server lists. The server must allow it (`--graphql-persisted automatic`). It lists
// both documents, so a hash is known from the first request on.

/** By `sha256sum k6/lib/documents/reserve-stock.graphql`. */
export const RESERVE_STOCK_HASH =
  '29e1c750b78df67cbfff0699d5c36e28f843303663f48d497044c7b187610380';
/** By `sha256sum k6/lib/documents/book-detail.graphql`. */
export const BOOK_DETAIL_HASH =
  'cba954bfeb2daa075a74637de994ada1701946ab7df2f308b7460b5747cef341';

/**
 * What stands for a document in a request.
 * @param {string} hash 64 hexadecimal digits
 */
export function extensions(hash) {
  return { persistedQuery: { version: 1, sha256Hash: hash } };
}

/**
 * The address of a query by GET.
 * @param {string} url the endpoint
 * @param {string} hash 64 hexadecimal digits
 * @param {Record<string, unknown>} variables
 * @returns {string}
 */
export function queryUrl(url, hash, variables) {
  const text = (/** @type {unknown} */ value) => encodeURIComponent(JSON.stringify(value));
  return `${url}?extensions=${text(extensions(hash))}&variables=${text(variables)}`;
}
