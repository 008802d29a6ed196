export const options = { thresholds: { iterations: ['count>5'] } };
export default function () {}
