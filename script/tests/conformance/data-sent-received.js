// Every byte of the sockets, tagged like the iteration; setup's are apart.
import http from 'k6/http';
export const options = { iterations: 2, userAgent: 'agent', thresholds: { 'data_sent{scenario:default}': ['count>=0'], 'data_sent{group:::setup}': ['count>0'] } };
const url = `${__ENV.BASE_URL}/bytes/1000`;
export function setup() { http.get(url); }
export default function () { http.get(url); }
export function teardown() {
  const host = __ENV.BASE_URL.slice(7);
  console.log(`bytes ${2 * `GET /bytes/1000 HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: agent\r\n\r\n`.length}`);
}
export function handleSummary(data) {
  const sent = data.metrics['data_sent{scenario:default}'].values.count;
  return { stdout: `bytes ${sent} ${data.metrics.data_received.values.count > 3000}\n` };
}
