import http from 'k6/http';
export const options = { thresholds: { 'http_reqs{status:404}': ['count==1'], 'http_reqs{expected_response:false}': ['count==2'] } };
export default function () {
  http.get(`${__ENV.BASE_URL}/status/404`);
  http.get(`${__ENV.BASE_URL}/status/500`, { responseCallback: http.expectedStatuses(404, { min: 500, max: 599 }) });
  http.get(`${__ENV.BASE_URL}/status/503`, { responseCallback: null });
  http.setResponseCallback(http.expectedStatuses(418));
  console.log(http.get(`${__ENV.BASE_URL}/status/200`).error_code, http.get(`${__ENV.BASE_URL}/status/418`).error_code);
}
