export const options = { iterations: 2, thresholds: { iterations: ['count>5'], checks: ['rate>0.9'] } };
export default function () {}
