// -e is stronger than the system's variables; __ENV can be written.
export default function () { __ENV.NEW = 'n'; console.log(__ENV.ONE, __ENV.TWO, __ENV.NEW, __ENV.THREE); }
