export const options = { thresholds: { nonesuch: ['count>5'] } };
export default function () { console.log('ran'); }
