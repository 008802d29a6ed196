import grpc from 'k6/net/grpc';
import { is, EVERY } from './lib/expect.js';
export { options } from './lib/expect.js';

const client = new grpc.Client();
client.load(['../proto'], 'every_kind.proto');
export default function () {
  client.connect(__ENV.ODD_ADDR, { plaintext: true });
  const echo = (what, params) => client.invoke(`${EVERY}/Echo`, { int32Value: 1 },
    { ...params, metadata: what ? { 'x-do': what } : {} });
  for (const [what, code, text] of [
    ['status:5', grpc.StatusNotFound, 'it went wröng'],
    ['status:42', 42, 'it went wröng'],
    ['twice', grpc.StatusInternal, 'cardinality violation'],
    ['nothing', grpc.StatusInternal, 'cardinality violation'],
    ['garbage', grpc.StatusInternal, 'failed to unmarshal'],
    ['compressed', grpc.StatusInternal, 'compressed'],
    ['odd-flag', grpc.StatusInternal, '128'],
    ['cut', grpc.StatusInternal, 'incomplete'],
    ['no-trailers', grpc.StatusInternal, 'without sending trailers'],
    ['http:503', grpc.StatusUnavailable, '503'],
    ['http:404', grpc.StatusUnimplemented, '404'],
    ['http:200', grpc.StatusUnknown, 'unexpected content-type "text/html"'],
    ['reset:7', grpc.StatusUnavailable, 'stream terminated'],
    ['reset:8', grpc.StatusCanceled, 'stream terminated'],
    ['reset:2', grpc.StatusInternal, 'stream terminated'],
    ['reset:11', grpc.StatusResourceExhausted, 'stream terminated'],
    ['break', grpc.StatusUnavailable, ''],
    ['large:4200000', grpc.StatusResourceExhausted, 'larger than max (4200005 vs. 4194304)'],
  ]) {
    const { status, error, message } = echo(what);
    const shown = error || { code: 'none', message: '' };
    is(`${what}: ${shown.message}`,
      [status, shown.code, shown.message.includes(text), message.int32Value], [code, code, true, 0]);
    is(`after ${what}`, echo('').message.int32Value, 1);
  }
  is('a connection that goes away answers still', echo('go-away').message.int32Value, 1);
  is('and is opened again', echo('').message.int32Value, 1);
  const detail = echo('details:every.kind.v1.Everything').error;
  is('a detail of a known type', [detail.code, detail.details[0]['@type'], detail.details[0].int32Value],
    [9, 'type.googleapis.com/every.kind.v1.Everything', 7]);
  is('a detail of another', echo('details:other.Type').error.details,
    [{ '@type': 'type.googleapis.com/other.Type', value: 'GAc=' }]);
}
