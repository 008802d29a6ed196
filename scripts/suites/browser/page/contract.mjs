// The messages and methods that the clients need, as descriptors: of proto/bookstore/bench/v1/bench.proto,
// and of the google.rpc messages that travel as details of an error.
import { create, createFileRegistry } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label as Label, FieldDescriptorProto_Type as Type, FileDescriptorProtoSchema,
  FileDescriptorSetSchema, file_google_protobuf_any, file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';

// A field is [name, number, type], with 'repeated' behind it for a list; the type is int32, string or a message.
function field([name, number, type, repeated]) {
  const scalar = { int32: Type.INT32, string: Type.STRING }[type];
  return {
    name,
    number,
    jsonName: name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
    type: scalar ?? Type.MESSAGE,
    typeName: scalar ? '' : `.${type}`,
    label: repeated ? Label.REPEATED : Label.OPTIONAL,
  };
}

function file(name, pkg, dependency, messages, services = {}) {
  return create(FileDescriptorProtoSchema, {
    name,
    package: pkg,
    syntax: 'proto3',
    dependency,
    messageType: Object.entries(messages).map(([message, fields]) => ({ name: message, field: fields.map(field) })),
    service: Object.entries(services).map(([service, methods]) => ({
      name: service,
      method: Object.entries(methods).map(([method, [input, output, stream]]) => ({
        name: method,
        inputType: `.${pkg}.${input}`,
        outputType: `.${pkg}.${output}`,
        serverStreaming: stream === 'stream',
      })),
    })),
  });
}

const bench = file(
  'bookstore/bench/v1/bench.proto',
  'bookstore.bench.v1',
  ['google/protobuf/timestamp.proto'],
  {
    ReserveStockRequest: [['order_id', 1, 'string'], ['lines', 2, 'bookstore.bench.v1.OrderLine', 'repeated']],
    OrderLine: [['isbn', 1, 'string'], ['quantity', 2, 'int32']],
    ReserveStockResponse: [
      ['reservation_id', 1, 'string'], ['order_id', 2, 'string'], ['expires_at', 3, 'google.protobuf.Timestamp'],
    ],
    GetBookDetailRequest: [['book_id', 1, 'int32'], ['review_count', 2, 'int32']],
    BookDetail: [
      ['id', 1, 'int32'], ['title', 2, 'string'], ['price_cents', 3, 'int32'], ['author_name', 4, 'string'],
      ['stock', 5, 'int32'], ['reviews', 6, 'bookstore.bench.v1.Review', 'repeated'],
    ],
    ListReviewsRequest: [['book_id', 1, 'int32'], ['limit', 2, 'int32']],
    Review: [['reviewer', 1, 'string'], ['rating', 2, 'int32'], ['text', 3, 'string']],
  },
  {
    InventoryService: { ReserveStock: ['ReserveStockRequest', 'ReserveStockResponse'] },
    CatalogService: {
      GetBookDetail: ['GetBookDetailRequest', 'BookDetail'],
      ListReviews: ['ListReviewsRequest', 'Review', 'stream'],
    },
  },
);

const rpc = file('google/rpc/status.proto', 'google.rpc', ['google/protobuf/any.proto'], {
  Status: [['code', 1, 'int32'], ['message', 2, 'string'], ['details', 3, 'google.protobuf.Any', 'repeated']],
  ErrorInfo: [['reason', 1, 'string'], ['domain', 2, 'string']],
  BadRequest: [['field_violations', 1, 'google.rpc.FieldViolation', 'repeated']],
  FieldViolation: [['field', 1, 'string'], ['description', 2, 'string']],
});

/** The types by name. */
export const registry = createFileRegistry(create(FileDescriptorSetSchema, {
  file: [file_google_protobuf_timestamp.proto, file_google_protobuf_any.proto, bench, rpc],
}));

const inventory = registry.getService('bookstore.bench.v1.InventoryService');
const catalog = registry.getService('bookstore.bench.v1.CatalogService');

/** The methods. */
export const methods = {
  reserveStock: inventory.method.reserveStock,
  getBookDetail: catalog.method.getBookDetail,
  listReviews: catalog.method.listReviews,
};

/** The path of a method. */
export const pathOf = (method) => `/${method.parent.typeName}/${method.name}`;
