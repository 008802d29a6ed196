export const options = { setupTimeout: '300ms' };
export function setup() { for (;;) {} }
export default function () {}
