// What handleSummary() gets, sent as a request so that `script compare` sees it: the path and type
// of everything in `data`, without the values, which are mostly times.

import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const own = {
  counter: new Counter('own_counter'),
  gauge: new Gauge('own_gauge'),
  rate: new Rate('own_rate'),
  trend: new Trend('own_trend', true),
};

export const options = {
  thresholds: { own_counter: ['count>0'], 'own_rate{part:a}': ['rate>=0'], http_reqs: ['count>0'] },
};

export function setup() {
  return { text: 'a', list: [1, 2], nothing: null };
}

export default function () {
  group('outer', () => {
    group('inner', () => {
      check(http.get(`${__ENV.BASE_URL}/probe`), { answered: (answer) => answer.status > 0 });
    });
  });
  own.counter.add(1);
  own.gauge.add(1);
  own.rate.add(true, { part: 'a' });
  own.trend.add(1);
}

/**
 * `path: type` of everything in a value that has nothing below it.
 * @returns {string[]}
 */
function leaves(path, value) {
  if (value === null) return [`${path}: null`];
  if (typeof value !== 'object') return [`${path}: ${typeof value}`];
  const keys = Object.keys(value);
  if (keys.length === 0) return [`${path}: empty`];
  return keys.flatMap((key) => leaves(`${path}.${key}`, value[key]));
}

export function handleSummary(data) {
  // Sampled by the clock: a short run may have none.
  const { vus, vus_max, ...metrics } = data.metrics;
  const shape = leaves('data', { ...data, metrics }).sort();
  http.post(`${__ENV.BASE_URL}/probe/summary-data`, shape.join('\n'));
  return { stdout: '' };
}
