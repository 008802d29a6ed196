// Without options: one user, one iteration.
export default function () { console.log(`${__VU} ${__ITER}`); }
