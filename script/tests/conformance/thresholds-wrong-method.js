export const options = { thresholds: { http_req_duration: ['count>5'] } };
export default function () {}
