/**
 * gRPC-Web for k6: unary calls and server streams, over HTTP/1.1 and HTTP/2.
 *
 * The module mirrors `k6/net/grpc`: a script that uses unary calls and server streams changes its
 * import alone. What only this module has is marked **grpcweb**.
 *
 * ```javascript
 * import grpcweb from 'k6/x/grpcweb';
 *
 * const client = new grpcweb.Client();
 * client.load(['proto'], 'bookstore/bench/v1/bench.proto');
 *
 * export default function () {
 *   if (__ITER === 0) client.connect('127.0.0.1:5300', { plaintext: true });
 *   const response = client.invoke('bookstore.bench.v1.CatalogService/GetBookDetail', { bookId: 1 });
 *   console.log(response.status === grpcweb.StatusOK, response.message.title);
 * }
 * ```
 *
 * **Metrics.** `grpcweb_req_duration` (trend, ms), `grpcweb_reqs` (counter) and `grpcweb_req_failed`
 * (rate: status other than OK) for each call, streams included, tagged with `url`, `service`, `method`,
 * `name`, `status` and, if enabled, `ip`, like k6's gRPC. `grpcweb_streams`, `grpcweb_streams_msgs_sent`
 * and `grpcweb_streams_msgs_received` (counters) for streams. Reflection is not counted, and health
 * checks carry no `url`, `service`, `method` and `name`. Bytes are in k6's own `data_sent` and
 * `data_received`.
 *
 * @packageDocumentation
 */

/** A time: milliseconds, or text with units such as `"10s"` and `"1m30s"`. */
export type Duration = number | string;

/** Metadata to send. Keys that end in `-bin` take bytes, all others text. */
export interface Metadata {
  [key: `${string}-bin`]: Uint8Array | ArrayBuffer;
  [key: string]: string | Uint8Array | ArrayBuffer;
}

/** Received metadata: keys in lower case. Each character of a `-bin` value is one byte. */
export type ReceivedMetadata = Record<string, string[]>;

/**
 * A message to send: an object in protobuf's JSON mapping, or **grpcweb** the encoded bytes.
 *
 * Field names may be in camelCase or as in the `.proto` file; unknown names are errors. 64-bit integers
 * may be numbers, text or **grpcweb** BigInt; `bytes` may be base64 or **grpcweb** a `Uint8Array` or
 * `ArrayBuffer`; enums are names or numbers; timestamps are text or a `Date`.
 */
export type Message = object | Uint8Array | ArrayBuffer;

/** Parameters of {@link Client.connect}. Any other key is an error. */
export interface ConnectParams {
  /** Without TLS. Default: false. */
  plaintext?: boolean;
  /** For connecting, and for reflection when it is on. Default: 60 s. */
  timeout?: Duration;
  /** Load message types from the server's reflection. Default: false. */
  reflect?: boolean;
  /** Metadata of the reflection calls. */
  reflectMetadata?: Metadata;
  /** The largest message to receive, in bytes; 0 means 4 MiB. */
  maxReceiveSize?: number;
  /** The largest message to send, in bytes; 0 means no limit. */
  maxSendSize?: number;
  /** Certificates beside or in place of those of the options. */
  tls?: TlsParams;
  /** Replaces host and port in requests, and the name that the server's certificate must have. */
  authority?: string;
  /** **grpcweb** `application/grpc-web-text`, bodies in base64. Default: false. */
  text?: boolean;
  /** **grpcweb** A path before every method's, for gateways: `"/api"`. */
  basePath?: string;
  /** **grpcweb** Metadata of every call on this connection; a call's own wins. */
  headers?: Metadata;
  /** **grpcweb** `"auto"` is HTTP/2 where TLS negotiates it, else HTTP/1.1. `"2"` without TLS is h2c. Default: `"auto"`. */
  httpVersion?: 'auto' | '1.1' | '2';
  /** **grpcweb** Compress requests, and ask for compressed answers. They are understood unasked, too. */
  compression?: 'gzip';
  /**
   * **grpcweb** Share connections with all virtual users that connect to the same address with the same
   * TLS parameters and HTTP version. The first user's TLS options apply, and bytes count for the user who
   * opened the connection. Default: false, a connection for each client.
   */
  connectionSharing?: boolean;
}

/** Certificates and keys, in PEM. */
export interface TlsParams {
  /** The client's certificate. */
  cert?: string;
  /** Its key; encrypted PKCS#8 is not supported. */
  key?: string;
  /** Decrypts the key. */
  password?: string;
  /** Roots to trust beside the system's. */
  cacerts?: string | string[];
}

/** Parameters of one call or stream. Any other key is an error. */
export interface Params {
  /** Metadata of this call. */
  metadata?: Metadata;
  /** Tags of this call's samples. */
  tags?: Record<string, string | number | boolean>;
  /** For the whole call, streams included; the server is told. 0 means none. Default: 2 min for calls, none for streams. */
  timeout?: Duration;
  /** Do not decode the answer: `message` is null. Default: false. */
  discardResponseMessage?: boolean;
  /**
   * **grpcweb** What becomes of the answer: `"json"` an object, `"binary"` an `ArrayBuffer` of its encoded
   * bytes, `"none"` like `discardResponseMessage`. Default: `"json"`.
   */
  responseType?: 'json' | 'binary' | 'none';
}

/** The answer to a call. */
export interface Response {
  /** A status constant. */
  status: number;
  /**
   * The message in protobuf's JSON mapping: names in camelCase, unset fields present, 64-bit integers as
   * text, `bytes` in base64. Null when discarded. A failed call has a message with all fields unset.
   */
  message: any;
  /** Null when the call went well. */
  error: GrpcError | null;
  /** Metadata that came before the message. */
  headers: ReceivedMetadata;
  /** Metadata that came with the status. */
  trailers: ReceivedMetadata;
}

/** google.rpc.Status in its JSON form. */
export interface GrpcError {
  code: number;
  message: string;
  /**
   * Messages with their type in `@type`. Types that are neither loaded nor among Google's error details
   * keep their bytes, in base64, in `value`.
   */
  details: { '@type': string; [field: string]: any }[];
}

/** A loaded method. */
export interface MethodInfo {
  package: string;
  /** The service's short name. */
  service: string;
  /** `"/package.Service/Method"` */
  full_method: string;
}

/** The answer of {@link Client.healthCheck}. */
export interface HealthCheckResponse {
  /** A HealthCheck constant. */
  status: number;
}

/** A client of one server. Make it in the init context and connect it in the first iteration. */
export class Client {
  constructor();

  /**
   * Compiles `.proto` files and their imports; init context only. Paths are relative to the folder of the
   * script that k6 was started with, which is also the import path when none is given. Virtual users that
   * load the same files share what was compiled.
   */
  load(importPaths: string[] | null | undefined, ...protoFiles: string[]): MethodInfo[];

  /** Loads a serialized FileDescriptorSet; init context only. */
  loadProtoset(path: string): MethodInfo[];

  /**
   * Connects to `host:port`; not in the init context. Throws when the server cannot be reached. A client
   * that is connected already gives up its old connection.
   */
  connect(address: string, params?: ConnectParams | null): boolean;

  /**
   * Makes a unary call and waits for it; not in the init context. Throws for wrong arguments only: a call
   * that fails, also by a deadline or a broken connection, is an answer with its status.
   *
   * @param method `"package.Service/Method"`, with or without a leading slash
   */
  invoke(method: string, request: Message, params?: Params | null): Response;

  /** Like {@link Client.invoke}, without waiting. Wrong arguments reject the promise. */
  asyncInvoke(method: string, request: Message, params?: Params | null): Promise<Response>;

  /** Calls `grpc.health.v1.Health/Check`, for one service or for all. Throws when that call fails. */
  healthCheck(service?: string): HealthCheckResponse;

  /** Ends the connection and the calls that are in flight on it. */
  close(): void;
}

/** What handlers get with each event. */
export interface EventMetadata {
  /** When the event was delivered, in seconds since 1970. */
  ts: number;
}

/**
 * A server stream. The one request that gRPC-Web carries goes out with the first `write`. Handlers run
 * when the script waits, so use it in an `async` function and not beside `sleep`.
 */
export class Stream {
  /** Not in the init context. Client-streaming and bidirectional methods throw: gRPC-Web has none. */
  constructor(client: Client, method: string, params?: Params | null);

  /** Each message. With `discardResponseMessage`, an empty object. */
  on(event: 'data', handler: (message: any, metadata: EventMetadata) => void): void;
  /** The call failed. Without a handler, k6 logs a warning and the iteration goes on. */
  on(event: 'error', handler: (error: GrpcError, metadata: EventMetadata) => void): void;
  /** The stream is over, also after an error. It is the last event. */
  on(event: 'end', handler: (nothing: object, metadata: EventMetadata) => void): void;
  /** **grpcweb** The headers, before any message. An answer that is nothing but a status has none. */
  on(event: 'metadata', handler: (headers: ReceivedMetadata, metadata: EventMetadata) => void): void;
  /** **grpcweb** The status and the trailers, before `end`, also when the call went well. */
  on(event: 'status', handler: (status: GrpcError & { trailers: ReceivedMetadata }, metadata: EventMetadata) => void): void;

  /** Sends the request. A second one throws; after `end` there is no effect. */
  write(request: Message): void;

  /** Nothing more will be written. The answers still come. */
  end(): void;
}

export const StatusOK: 0;
export const StatusCanceled: 1;
export const StatusUnknown: 2;
export const StatusInvalidArgument: 3;
export const StatusDeadlineExceeded: 4;
export const StatusNotFound: 5;
export const StatusAlreadyExists: 6;
export const StatusPermissionDenied: 7;
export const StatusResourceExhausted: 8;
export const StatusFailedPrecondition: 9;
export const StatusAborted: 10;
export const StatusOutOfRange: 11;
export const StatusUnimplemented: 12;
export const StatusInternal: 13;
export const StatusUnavailable: 14;
export const StatusDataLoss: 15;
export const StatusUnauthenticated: 16;

export const HealthCheckUnknown: 0;
export const HealthCheckServing: 1;
export const HealthCheckNotServing: 2;
/** Spelt as in `k6/net/grpc`. */
export const HealthCheckServiceUnkown: 3;
export const HealthCheckServiceUnknown: 3;

export * as default from './index';
