import grpc from 'k6/net/grpc';
import { is, throws } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
export default function () {
  client.connect(__ENV.GRPC_ADDR, { plaintext: true, reflect: true, reflectMetadata: { a: 'b' } });
  const detail = client.invoke('bookstore.bench.v1.CatalogService/GetBookDetail', { bookId: 1, reviewCount: 2 });
  is('a reflected method', [detail.status, detail.message.reviews.length], [0, 2]);
  is('health', client.healthCheck(), { status: grpc.HealthCheckServing });
  is('health of a service', client.healthCheck('bookstore.bench.v1.CatalogService').status, 1);
  throws('health of no service', 'rpc error: code = NotFound desc =', () => client.healthCheck('no.Service'));
  throws('no reflection', 'error invoking reflect API: rpc error: code = Unimplemented',
    () => client.connect(__ENV.BASE_URL ? __ENV.ODD_ADDR : '', { plaintext: true, reflect: true,
      reflectMetadata: { 'x-do': 'status:12' } }));
}
