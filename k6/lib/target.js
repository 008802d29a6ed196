// Where the server listens.

/** HTTP/1.1: REST, GraphQL and gRPC-Web; no slash at the end. */
export const BASE_URL = (__ENV.BASE_URL || 'http://127.0.0.1:5300').replace(/\/+$/, '');

/** gRPC; `host:port` without a scheme. */
export const GRPC_ADDR = __ENV.GRPC_ADDR || '127.0.0.1:5301';

/**
 * Whether gRPC goes without TLS, from `GRPC_TLS` (on or off); as in BASE_URL unless that says otherwise.
 * @type {import('k6/net/grpc').ConnectParams}
 */
export const GRPC_PARAMS = { plaintext: !isGrpcEncrypted() };

/** gRPC-Web by the extension: the host, port and path of BASE_URL. */
export const GRPCWEB_ADDR = grpcWebTarget().address;

/** @type {import('k6/x/grpcweb').ConnectParams} */
export const GRPCWEB_PARAMS = grpcWebTarget().params;

/** @returns {boolean} */
function isGrpcEncrypted() {
  const tls = __ENV.GRPC_TLS || (BASE_URL.startsWith('https:') ? 'on' : 'off');
  if (tls !== 'on' && tls !== 'off') {
    throw new Error(`GRPC_TLS=${tls} cannot be used; write on or off, or leave it out to do as BASE_URL does`);
  }
  return tls === 'on';
}

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
