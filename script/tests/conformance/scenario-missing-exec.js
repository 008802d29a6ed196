export const options = { scenarios: { a: { executor: 'shared-iterations', exec: 'nope' } } };
export default function () {}
