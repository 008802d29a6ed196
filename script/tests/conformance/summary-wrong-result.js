export default function () {}
export function handleSummary() { return 5; }
