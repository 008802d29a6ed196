// Null leaves the summary to the runner.
export default function () {}
export function handleSummary() { return null; }
