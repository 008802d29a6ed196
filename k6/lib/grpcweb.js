// gRPC-Web for stock k6 and Grafana Cloud k6, over k6/http: unary calls and server streams. It has the
// call surface of the extension k6/x/grpcweb, so a script changes its import alone. What stock k6
// cannot do is listed in k6/README.md.

import { Client } from './grpcweb/client.js';
import * as statuses from './grpcweb/status.js';
import { Stream } from './grpcweb/stream.js';

const { codeFromHttp: _, ...constants } = statuses;

export { Client, Stream };
export {
  HealthCheckNotServing,
  HealthCheckServiceUnkown,
  HealthCheckServiceUnknown,
  HealthCheckServing,
  HealthCheckUnknown,
  StatusAborted,
  StatusAlreadyExists,
  StatusCanceled,
  StatusDataLoss,
  StatusDeadlineExceeded,
  StatusFailedPrecondition,
  StatusInternal,
  StatusInvalidArgument,
  StatusNotFound,
  StatusOK,
  StatusOutOfRange,
  StatusPermissionDenied,
  StatusResourceExhausted,
  StatusUnauthenticated,
  StatusUnavailable,
  StatusUnimplemented,
  StatusUnknown,
} from './grpcweb/status.js';

export default { Client, Stream, ...constants };
