export const options = { thresholds: { http_req_duration: ['p(95)<1', 'max==0'] } };
export default function () {}
