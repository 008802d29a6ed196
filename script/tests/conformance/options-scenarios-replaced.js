// A shortcut of the command line replaces the scenarios of the script.
export const options = { scenarios: { a: { executor: 'shared-iterations', iterations: 9, exec: 'other' } } };
export function other() { console.log('other'); }
export default function () {}
