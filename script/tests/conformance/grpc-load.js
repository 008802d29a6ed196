import grpc, { Client } from 'k6/net/grpc';
import { is, throws } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new Client();
const loaded = client.load(['../../../proto', 'nowhere'], 'bookstore/bench/v1/bench.proto');
const more = client.load([`file://${__ENV.REPOSITORY}/script/tests/proto`], 'every_kind.proto');
const set = new Client().loadProtoset(`${__ENV.FILES}/bench.binpb`);
const beside = new Client().load(null, 'lib/beside.proto');
const failures = {};
for (const [name, load] of Object.entries({
  missing: () => client.load([], 'nowhere.proto'),
  wrong: () => client.load(['lib'], 'wrong.proto'),
  noSet: () => client.loadProtoset('nowhere.binpb'),
  brokenSet: () => client.loadProtoset(`${__ENV.FILES}/broken.binpb`),
})) {
  try { load(); } catch (error) { failures[name] = error.message; }
}
export default function () {
  is('the first method', loaded[0], {
    package: 'bookstore.bench.v1',
    service: 'InventoryService',
    full_method: '/bookstore.bench.v1.InventoryService/ReserveStock',
  });
  is('all methods', loaded.map((m) => m.full_method.split('/')[2]),
    ['ReserveStock', 'GetBookDetail', 'ListReviews', 'GetBook', 'GetAuthor', 'GetStock', 'GetReviews',
      'BatchGet', 'ListExpenses', 'ListUsers']);
  is('a second load', more.length, 7);
  is('a protoset', set.filter((m) => m.service === 'CatalogService').length, 2);
  is('the folder of the script', beside[0].full_method, '/beside.Service/Do');
  is('a missing file is named', failures.missing.includes('nowhere.proto'), true);
  is('a wrong file is named', failures.wrong.includes('wrong.proto'), true);
  is('no protoset', failures.noSet.includes("couldn't open protoset"), true);
  is('a broken protoset', failures.brokenSet.includes("couldn't unmarshal protoset file"), true);
  throws('load outside of init', 'load must be called in the init context',
    () => client.load([], 'x.proto'));
  throws('loadProtoset outside of init', 'load must be called in the init context',
    () => client.loadProtoset('x'));
  is('constants', [grpc.StatusOK, grpc.StatusNotFound, grpc.StatusUnauthenticated,
    grpc.HealthCheckServing, grpc.HealthCheckServiceUnkown], [0, 5, 16, 1, 3]);
}
