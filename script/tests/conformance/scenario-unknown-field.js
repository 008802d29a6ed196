export const options = { scenarios: { a: { executor: 'shared-iterations', itarations: 3 } } };
export default function () {}
