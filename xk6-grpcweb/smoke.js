// Shows that the extension is in the binary: it needs no server.

import { check } from 'k6';
import grpcweb from 'k6/x/grpcweb';

export const options = { vus: 1, iterations: 1, thresholds: { checks: ['rate==1'] } };

const client = new grpcweb.Client();

export default function () {
  let text = '';
  try {
    client.invoke('no.Service/AtAll', {});
  } catch (error) {
    text = String(error);
  }
  check(text, { 'a client without connection says so': (t) => t.includes('you must call connect first') });
  check(grpcweb, { 'status constants are there': (m) => m.StatusUnauthenticated === 16 });
}
