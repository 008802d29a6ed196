// So is a promise that nobody handles.
export const options = { iterations: 2 };
export default async function () { if (__ITER === 0) { Promise.reject(new Error('lost')); } else { throw new Error('rejected'); } }
