export default function () { console.log(__ENV.ONE, __ENV.TWO, __ENV.BENCH_ENGINE); }
