// An iteration lasts until its timers and promises are done.
export default function () { setTimeout(() => console.log('later'), 60); Promise.resolve().then(() => console.log('soon')); }
