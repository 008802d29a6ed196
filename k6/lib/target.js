// Where the server listens.

/** HTTP/1.1: REST, GraphQL and gRPC-Web; no slash at the end. */
export const BASE_URL = (__ENV.BASE_URL || 'http://127.0.0.1:5300').replace(/\/+$/, '');

/** h2c: gRPC; `host:port` without a scheme. */
export const GRPC_ADDR = __ENV.GRPC_ADDR || '127.0.0.1:5301';

/** gRPC-Web by the extension: the host, port and path of BASE_URL. */
export const GRPCWEB_ADDR = grpcWebTarget().address;

/** @type {import('k6/x/grpcweb').ConnectParams} */
export const GRPCWEB_PARAMS = grpcWebTarget().params;

function grpcWebTarget() {
  const parts = /^(https?):\/\/([^/]+?)(:\d+)?(\/.*)?$/.exec(BASE_URL);
  if (!parts) {
    throw new Error(`BASE_URL=${BASE_URL} cannot be used; write http://host:port or https://host:port`);
  }
  const [, scheme, host, port, basePath] = parts;
  const plaintext = scheme === 'http';
  return {
    address: host + (port ?? (plaintext ? ':80' : ':443')),
    params: { plaintext, ...(basePath ? { basePath } : {}) },
  };
}
