export default function () { console.log(__ENV.BENCH_ENGINE, __ENV.BENCH_ENGINE_WORKERS); }
