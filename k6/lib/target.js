// Where the server listens.

/** HTTP/1.1: REST, GraphQL and gRPC-Web; no slash at the end. */
export const BASE_URL = (__ENV.BASE_URL || 'http://127.0.0.1:5300').replace(/\/+$/, '');

/** h2c: gRPC; `host:port` without a scheme. */
export const GRPC_ADDR = __ENV.GRPC_ADDR || '127.0.0.1:5301';
