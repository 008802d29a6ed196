// K6_ variables are stronger than the script and weaker than flags.
export const options = { iterations: 9, vus: 1 };
export default function () {}
