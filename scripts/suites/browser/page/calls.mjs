// What every client must see of the Bookstore.
import { methods } from './contract.mjs';
import { holds, same } from './expect.mjs';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MISSING_ISBN = '9789999999999';
const MISSING_BOOK = 1_000_000;

const info = (reason) => ({ type: 'google.rpc.ErrorInfo', reason, domain: 'bookstore.bench' });

function succeeded(outcome) {
  same(outcome.error, null, 'the error');
  same(outcome.status, 0, 'the status');
}

function failed(outcome, code, message, details) {
  same(outcome.messages, [], 'the messages');
  same(outcome.error, { code, message, details }, 'the error');
}

async function unary(client, { server, book }) {
  const outcome = await client.call(server, methods.getBookDetail, { bookId: 1, reviewCount: 2 });
  succeeded(outcome);
  same(outcome.messages, [book], 'the answer');
}

async function metadata(client, { server }) {
  const order = { orderId: 'Bücher-1', lines: [{ isbn: '9780000000001', quantity: 1 }] };
  const options = { headers: { 'x-shop': 'north', authorization: 'Bearer none' }, timeoutMs: 30_000 };
  const outcome = await client.call(server, methods.reserveStock, order, options);
  succeeded(outcome);
  const [{ orderId, reservationId, expiresAt }] = outcome.messages;
  same(orderId, order.orderId, 'the order id');
  holds(UUID.test(reservationId), `${reservationId} is no reservation id`);
  holds(Date.parse(expiresAt) > Date.now(), `the reservation ends in the past, ${expiresAt}`);
}

async function unaryError(client, { server }) {
  const order = { orderId: 'order-2', lines: [{ isbn: MISSING_ISBN, quantity: 1 }] };
  const outcome = await client.call(server, methods.reserveStock, order);
  const message = `line 1 names ISBN ${MISSING_ISBN}, which is not in the catalogue`;
  const violation = { field: 'lines[0].isbn', description: message };
  failed(outcome, 9, message, [info('UNKNOWN_ISBN'), { type: 'google.rpc.BadRequest', fieldViolations: [violation] }]);
}

async function stream(client, { server, reviews }) {
  holds(reviews.length > 1, 'the book needs more than one review');
  const outcome = await client.call(server, methods.listReviews, { bookId: 1 });
  succeeded(outcome);
  same(outcome.messages, reviews, 'the reviews');
}

async function streamError(client, { server }) {
  const outcome = await client.call(server, methods.listReviews, { bookId: MISSING_BOOK });
  holds(outcome.error, 'the stream did not fail');
  const { last } = /ids run from 1 to (?<last>\d+)/.exec(outcome.error.message)?.groups ?? {};
  failed(outcome, 5, `book ${MISSING_BOOK} does not exist; ids run from 1 to ${last}`, [info('UNKNOWN_BOOK')]);
}

async function overHttp2(client, { relay, book }) {
  const outcome = await client.call(relay, methods.getBookDetail, { bookId: 1, reviewCount: 2 });
  succeeded(outcome);
  same(outcome.messages, [book], 'the answer');
}

// The browser asks first, and without leave it does not call.
async function closed(client, { closedServer }) {
  const outcome = await client.call(closedServer, methods.getBookDetail, { bookId: 1 }, { headers: { 'x-shop': 'north' } });
  holds(outcome.error, 'the call went through to a server that lets no page in');
}

/** The calls by what they show. */
export const calls = {
  'unary call': unary,
  'unary call with metadata and a deadline': metadata,
  'unary error with details': unaryError,
  'server stream': stream,
  'error of a stream with details': streamError,
  'unary call over HTTP/2 and TLS': overHttp2,
  'no call to a server without CORS': closed,
};
