// Endless recursion is an exception, not a crash.
export const options = { iterations: 2 };
export default function () { const down = () => down(); down(); }
