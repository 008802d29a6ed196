import grpcweb, { Client, StatusOK } from 'k6/x/grpcweb';
import { is, throws } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new Client();
const loaded = client.load(['../../../proto'], 'bookstore/bench/v1/bench.proto');
const CATALOG = 'bookstore.bench.v1.CatalogService';

export default async function () {
  is('loaded', loaded.map((method) => method.full_method).includes(`/${CATALOG}/GetBookDetail`), true);
  throws('not connected', 'no gRPC connection, you must call connect first', () => client.invoke(`${CATALOG}/GetBookDetail`, {}));
  for (const [address, params] of [
    [__ENV.GRPCWEB_ADDR, {}],
    [__ENV.GRPCWEB_ADDR, { text: true }],
    [__ENV.GRPCWEB_ADDR, { compression: 'gzip', httpVersion: '1.1' }],
    [__ENV.GRPC_ADDR, { httpVersion: '2' }],
    [__ENV.GRPC_ADDR, { httpVersion: '2', text: true, compression: 'gzip' }],
  ]) {
    const name = JSON.stringify(params);
    is(`connected ${name}`, client.connect(address, { plaintext: true, ...params }), true);
    const found = client.invoke(`${CATALOG}/GetBookDetail`, { book_id: 1, review_count: 2 });
    is(`unary ${name}`, [found.status, found.error, found.message.reviews.length], [StatusOK, null, 2]);
    const asynchronous = await client.asyncInvoke(`/${CATALOG}/GetBookDetail`, { bookId: 1 });
    is(`async ${name}`, [asynchronous.status, asynchronous.message.id], [0, 1]);
    const missing = client.invoke(`${CATALOG}/GetBookDetail`, { book_id: 404404 });
    is(`error ${name}`, [missing.status, missing.error.code, missing.message.id, missing.error.message.length > 0],
      [grpcweb.StatusNotFound, 5, 0, true]);
    const refused = client.invoke('bookstore.bench.v1.InventoryService/ReserveStock',
      { order_id: 'o', lines: [{ isbn: 'x', quantity: 1 }] });
    const [info, request] = refused.error.details;
    is(`details ${name}`, [refused.status, info['@type'], info.domain, request.fieldViolations[0].field],
      [grpcweb.StatusFailedPrecondition, 'type.googleapis.com/google.rpc.ErrorInfo', 'bookstore.bench', 'lines[0].isbn']);
    if (params.compression) continue; // the server's health service knows none
    is(`health ${name}`, client.healthCheck(), { status: grpcweb.HealthCheckServing });
    is(`health of a service ${name}`, client.healthCheck(CATALOG).status, 1);
    throws(`health of none ${name}`, 'rpc error: code = NotFound', () => client.healthCheck('no.Service'));
  }
  const reflected = new Client();
  reflected.connect(__ENV.GRPCWEB_ADDR, { plaintext: true, reflect: true, reflectMetadata: { a: 'b' } });
  is('a reflected method', reflected.invoke(`${CATALOG}/GetBookDetail`, { bookId: 1 }).message.id, 1);
  is('constants', [grpcweb.HealthCheckServiceUnkown, grpcweb.HealthCheckServiceUnknown], [3, 3]);
  client.close();
  client.close();
  throws('closed', 'no gRPC connection', () => client.invoke(`${CATALOG}/GetBookDetail`, {}));
}
