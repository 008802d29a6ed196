// The command line is stronger than the script; vus of the script remain.
export const options = { vus: 2, duration: '20s' };
export default function () { console.log(`vu ${__VU}`); }
