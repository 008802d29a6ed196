// Status codes.

export const StatusOK = 0;
export const StatusCanceled = 1;
export const StatusUnknown = 2;
export const StatusInvalidArgument = 3;
export const StatusDeadlineExceeded = 4;
export const StatusNotFound = 5;
export const StatusAlreadyExists = 6;
export const StatusPermissionDenied = 7;
export const StatusResourceExhausted = 8;
export const StatusFailedPrecondition = 9;
export const StatusAborted = 10;
export const StatusOutOfRange = 11;
export const StatusUnimplemented = 12;
export const StatusInternal = 13;
export const StatusUnavailable = 14;
export const StatusDataLoss = 15;
export const StatusUnauthenticated = 16;

export const HealthCheckUnknown = 0;
export const HealthCheckServing = 1;
export const HealthCheckNotServing = 2;
/** Spelt as in `k6/net/grpc`. */
export const HealthCheckServiceUnkown = 3;
export const HealthCheckServiceUnknown = 3;

/**
 * @typedef {object} Status how a call ended
 * @property {number} code
 * @property {string} message
 * @property {Uint8Array | null} details the bytes of a google.rpc.Status, if one came
 */

/**
 * The code of an answer that carries no gRPC status, by gRPC's own table. 431 is UNKNOWN, as the
 * public conformance suite has it.
 * @param {number} httpStatus
 * @returns {number}
 */
export function codeFromHttp(httpStatus) {
  switch (httpStatus) {
    case 400:
      return StatusInternal;
    case 401:
      return StatusUnauthenticated;
    case 403:
      return StatusPermissionDenied;
    case 404:
      return StatusUnimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return StatusUnavailable;
    default:
      return StatusUnknown;
  }
}
