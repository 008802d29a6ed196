import { Trend } from 'k6/metrics';
const t = new Trend('my_trend');
export default function () { t.add(3); }
export function handleSummary(data) { return { [__ENV.DATA]: JSON.stringify(data), stdout: 'own words\n', stderr: 'own errors\n' }; }
