import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter'), gauge = new Gauge('my_gauge'), rate = new Rate('my_rate');
const trend = new Trend('my_trend'), time = new Trend('my_time', true);
export const options = { iterations: 4, summaryTrendStats: ['min', 'avg', 'med', 'max', 'p(75)', 'count'] };
export default function () {
  counter.add(2.5); gauge.add(__ITER); rate.add(__ITER > 0); trend.add(10 * (__ITER + 1)); time.add(1.5);
}
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data) }; }
