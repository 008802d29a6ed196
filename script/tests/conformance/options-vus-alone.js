// Only vus: each of them iterates once.
export const options = { vus: 3 };
export default function () {}
