export const options = null;
export default function () { console.log('ran'); }
