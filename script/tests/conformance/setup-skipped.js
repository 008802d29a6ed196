export function setup() { console.log('set up'); }
export default function () {}
export function teardown() { console.log('torn down'); }
