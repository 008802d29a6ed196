export const options = { thresholds: { iterations: ['more than 5'] } };
export default function () {}
