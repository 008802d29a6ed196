//! What all samples of a run add up to.

use std::time::Duration;

use crate::{
    metric::{
        CheckCount, Contains, GroupRecord, Kind, Place, Recorded, Registry, Series, Sink,
        SortedValues,
    },
    options::Options,
    threshold::{Thresholds, parse_percentile},
};

/// A finished run.
#[derive(Clone, Debug)]
pub(crate) struct Totals {
    /// Metrics and parts of them that have samples or thresholds, sorted by name.
    pub(crate) metrics: Vec<MetricTotal>,
    /// Checks in the order in which they were first seen.
    pub(crate) checks: Vec<CheckCount>,
    /// Groups in the order in which they were first seen.
    pub(crate) groups: Vec<GroupRecord>,
    /// Metrics of each group by its path, and of each scenario by its name; both empty unless they were
    /// kept apart.
    pub(crate) by_group: Vec<(String, Vec<MetricTotal>)>,
    pub(crate) by_scenario: Vec<(String, Vec<MetricTotal>)>,
    /// From before setup to after teardown.
    pub(crate) elapsed: Duration,
    /// What setup returned, as JSON.
    pub(crate) setup_json: Option<String>,
}

/// A metric or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct MetricTotal {
    /// As thresholds name it.
    pub(crate) name: String,
    /// The metric that it is a part of.
    pub(crate) parent: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) contains: Contains,
    pub(crate) values: Values,
    pub(crate) thresholds: Vec<Verdict>,
}

/// Whether a threshold holds.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// The condition as written.
    pub(crate) source: String,
    pub(crate) ok: bool,
    /// What is compared, and its value.
    pub(crate) aggregate: String,
    pub(crate) value: f64,
}

/// The numbers of a metric; times in ms.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    Counter { count: f64, rate: f64 },
    Gauge { value: f64, min: f64, max: f64 },
    Rate { rate: f64, passes: u64, fails: u64 },
    Trend(SortedValues),
}

impl Totals {
    pub(crate) fn new(
        recorded: Recorded,
        registry: &Registry,
        thresholds: &Thresholds,
        elapsed: Duration,
        setup_json: Option<String>,
    ) -> Self {
        let metrics = metric_totals(&recorded.series(), registry, Some(thresholds), elapsed);
        let at = |is_wanted: &dyn Fn(&Place) -> bool| {
            metric_totals(&recorded.series_at(is_wanted), registry, None, elapsed)
        };
        let groups = recorded.groups.iter().filter(|_| registry.keeps_places());
        let by_group = groups
            .map(|group| {
                let metrics = at(&|place| place.group == group.path);
                (group.path.clone(), metrics)
            })
            .collect();
        let scenarios = recorded.scenarios().into_iter();
        let by_scenario = scenarios
            .map(|name| (name.to_owned(), at(&|place| place.scenario == name)))
            .collect();
        Self {
            metrics,
            by_group,
            by_scenario,
            checks: recorded.checks,
            groups: recorded.groups,
            elapsed,
            setup_json,
        }
    }

    /// Names of the metrics with a threshold that does not hold, separated by commas.
    pub(crate) fn failed_thresholds(&self) -> String {
        let failed = self.metrics.iter().filter(|metric| {
            let mut verdicts = metric.thresholds.iter();
            verdicts.any(|verdict| !verdict.ok)
        });
        failed
            .map(|metric| metric.name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Whether every threshold holds.
    pub(crate) fn thresholds_hold(&self) -> bool {
        self.metrics
            .iter()
            .flat_map(|metric| &metric.thresholds)
            .all(|verdict| verdict.ok)
    }
}

/// What samples add up to, with verdicts where thresholds are asked for. Metrics without samples are
/// in it when they have a verdict.
fn metric_totals(
    series: &[Series],
    registry: &Registry,
    thresholds: Option<&Thresholds>,
    elapsed: Duration,
) -> Vec<MetricTotal> {
    let mut metrics = Vec::new();
    for metric in registry.metrics() {
        let samples = series
            .iter()
            .find(|series| series.metric.name == metric.name);
        let all = samples.and_then(|samples| samples.all.as_ref());
        let total = |name: &str, parent: Option<&str>, sink: Option<&Sink>| {
            let verdicts = thresholds.map(|thresholds| verdicts(name, thresholds, sink, elapsed));
            let verdicts = verdicts.unwrap_or_default();
            if sink.is_none() && verdicts.is_empty() {
                return None;
            }
            let empty = Sink::new(metric.kind);
            Some(MetricTotal {
                name: name.to_owned(),
                parent: parent.map(str::to_owned),
                kind: metric.kind,
                contains: metric.contains,
                values: Values::new(sink.unwrap_or(&empty), elapsed),
                thresholds: verdicts,
            })
        };
        metrics.extend(total(&metric.name, None, all));
        for (place, part) in metric.submetrics.iter().enumerate() {
            let sink = samples.and_then(|samples: &Series| samples.parts.get(place)?.as_ref());
            metrics.extend(total(&part.name, Some(&metric.name), sink));
        }
    }
    metrics.sort_by(|one, other| one.name.cmp(&other.name));
    metrics
}

fn verdicts(
    name: &str,
    thresholds: &Thresholds,
    sink: Option<&Sink>,
    elapsed: Duration,
) -> Vec<Verdict> {
    thresholds
        .of(name)
        .map(|threshold| Verdict {
            source: threshold.source.clone(),
            ok: threshold.holds(sink, elapsed),
            aggregate: threshold.aggregate().to_owned(),
            value: threshold.value(sink, elapsed).unwrap_or_default(),
        })
        .collect()
}

impl Values {
    fn new(sink: &Sink, elapsed: Duration) -> Self {
        match sink {
            Sink::Counter { sum } => Self::Counter {
                count: *sum,
                rate: if elapsed.is_zero() {
                    0.0
                } else {
                    sum / elapsed.as_secs_f64()
                },
            },
            Sink::Gauge(gauge) => {
                let of = |part: fn(&crate::metric::GaugeSink) -> f64| {
                    gauge.as_ref().map(part).unwrap_or_default()
                };
                Self::Gauge {
                    value: of(|gauge| gauge.last),
                    min: of(|gauge| gauge.min),
                    max: of(|gauge| gauge.max),
                }
            }
            Sink::Rate { nonzero, total } => Self::Rate {
                rate: *nonzero as f64 / (*total).max(1) as f64,
                passes: *nonzero,
                fails: total - nonzero,
            },
            Sink::Trend(trend) => Self::Trend(trend.sorted()),
        }
    }

    /// Names and numbers, as `handleSummary` gets them.
    pub(crate) fn named(&self, options: &Options) -> Vec<(String, f64)> {
        let named = |pairs: &[(&str, f64)]| {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| ((*name).to_owned(), *value))
                .collect()
        };
        match self {
            Self::Counter { count, rate } => named(&[("count", *count), ("rate", *rate)]),
            Self::Gauge { value, min, max } => {
                named(&[("value", *value), ("min", *min), ("max", *max)])
            }
            Self::Rate {
                rate,
                passes,
                fails,
            } => named(&[
                ("rate", *rate),
                ("passes", *passes as f64),
                ("fails", *fails as f64),
            ]),
            Self::Trend(sorted) => options
                .trend_stats()
                .into_iter()
                .map(|stat| {
                    let value = trend_stat(sorted, &stat);
                    (stat, value)
                })
                .collect(),
        }
    }
}

fn trend_stat(sorted: &SortedValues, stat: &str) -> f64 {
    match stat {
        "avg" => sorted.mean(),
        "min" => sorted.min(),
        "max" => sorted.max(),
        "count" => sorted.count() as f64,
        "med" => sorted.percentile(0.5),
        percentile => sorted.percentile(parse_percentile(percentile).unwrap_or_default() / 100.0),
    }
}
