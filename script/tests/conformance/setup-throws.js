// No iterations and no teardown, but a summary.
export function setup() { throw new Error('no setup'); }
export default function () { console.log('iterated'); }
export function teardown() { console.log('torn down'); }
