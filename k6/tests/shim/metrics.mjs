// Stands in for k6/metrics: samples are kept, by the metric's name.

/** @type {Map<string, { value: number | boolean, tags: Record<string, string> }[]>} */
export const samples = new Map();

class Metric {
  constructor(name) {
    this.name = name;
    samples.set(name, []);
  }

  add(value, tags = {}) {
    samples.get(this.name).push({ value, tags });
  }
}

export { Metric as Counter, Metric as Gauge, Metric as Rate, Metric as Trend };
