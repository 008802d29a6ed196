//! Whether thresholds hold.

use std::time::Duration;

use crate::{
    error::RunError,
    metric::{Kind, Metric, Registry, Series, Sink},
    options::Options,
};

use super::{Aggregate, Expression};

/// All thresholds of a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct Thresholds {
    pub(crate) list: Vec<Threshold>,
}

/// A condition on a metric or a part of one.
#[derive(Clone, Debug)]
pub(crate) struct Threshold {
    /// The metric as written, for example `http_reqs{scenario:default}`.
    pub(crate) metric: String,
    /// The condition as written.
    pub(crate) source: String,
    pub(crate) abort_on_fail: bool,
    pub(crate) delay_abort: Duration,
    expression: Expression,
    kind: Kind,
}

impl Thresholds {
    /// Reads the thresholds of the options, and has the parts of metrics that they name kept
    /// apart.
    pub(crate) fn new(options: &Options, registry: &Registry) -> Result<Self, RunError> {
        let mut list = Vec::new();
        for (text, conditions) in options.thresholds() {
            let metric = registry.keep_apart(text)?;
            for condition in conditions {
                let expression = Expression::parse(&condition.expression, metric.kind);
                list.push(Threshold {
                    metric: text.clone(),
                    source: condition.expression.clone(),
                    abort_on_fail: condition.abort_on_fail,
                    delay_abort: condition.delay_abort,
                    expression: expression.map_err(|error| RunError::Threshold {
                        metric: text.clone(),
                        error,
                    })?,
                    kind: metric.kind,
                });
            }
        }
        Ok(Self { list })
    }

    /// Whether a threshold that ends the run looks at the metric or a part of it.
    pub(crate) fn may_abort_on(&self, metric: &Metric) -> bool {
        self.aborting().any(|threshold| {
            let parts = metric.submetrics.iter();
            let mut names = parts.map(|part| &part.name).chain([&metric.name]);
            names.any(|name| *name == threshold.metric)
        })
    }

    /// Thresholds that end the run.
    pub(crate) fn aborting(&self) -> impl Iterator<Item = &Threshold> {
        self.list.iter().filter(|threshold| threshold.abort_on_fail)
    }

    /// Whether one that ends the run does not hold; metrics without samples are not looked at.
    pub(crate) fn must_abort(&self, series: &[Series], elapsed: Duration) -> bool {
        self.aborting().any(|threshold| {
            elapsed >= threshold.delay_abort
                && threshold
                    .sink(series)
                    .is_some_and(|sink| !threshold.holds(Some(sink), elapsed))
        })
    }

    /// The thresholds on a metric or a part of one.
    pub(crate) fn of(&self, metric: &str) -> impl Iterator<Item = &Threshold> {
        self.list
            .iter()
            .filter(move |threshold| threshold.metric == metric)
    }
}

impl Threshold {
    /// What is compared; `None` for a rate without samples, which passes.
    pub(crate) fn value(&self, sink: Option<&Sink>, elapsed: Duration) -> Option<f64> {
        let empty = Sink::new(self.kind);
        value_of(self.expression.aggregate, sink.unwrap_or(&empty), elapsed)
    }

    /// Whether it holds.
    pub(crate) fn holds(&self, sink: Option<&Sink>, elapsed: Duration) -> bool {
        self.value(sink, elapsed)
            .is_none_or(|value| self.expression.holds(value))
    }

    /// The name of what is compared, for example `p(95)`.
    pub(crate) fn aggregate(&self) -> &str {
        let end = self.source.find(['<', '>', '=', '!']);
        self.source[..end.unwrap_or(self.source.len())].trim()
    }

    /// The samples that it looks at.
    pub(crate) fn sink<'a>(&self, series: &'a [Series]) -> Option<&'a Sink> {
        series.iter().find_map(|series| {
            if series.metric.name == self.metric {
                return series.all.as_ref();
            }
            let parts = series.metric.submetrics.iter().zip(&series.parts);
            let mut parts = parts.filter(|(part, _)| part.name == self.metric);
            parts.find_map(|(_, sink)| sink.as_ref())
        })
    }
}

/// A number made of samples; `None` for the share of no samples at all.
fn value_of(aggregate: Aggregate, sink: &Sink, elapsed: Duration) -> Option<f64> {
    match sink {
        Sink::Counter { sum } => Some(match aggregate {
            Aggregate::Rate if elapsed.is_zero() => 0.0,
            Aggregate::Rate => sum / elapsed.as_secs_f64(),
            _ => *sum,
        }),
        Sink::Gauge(gauge) => Some(gauge.map_or(0.0, |gauge| gauge.last)),
        Sink::Rate { total: 0, .. } => None,
        Sink::Rate { nonzero, total } => Some(*nonzero as f64 / *total as f64),
        Sink::Trend(trend) => {
            let sorted = trend.sorted();
            Some(match aggregate {
                Aggregate::Average => sorted.mean(),
                Aggregate::Min => sorted.min(),
                Aggregate::Max => sorted.max(),
                Aggregate::Percentile(percent) => sorted.percentile(percent / 100.0),
                _ => sorted.percentile(0.5),
            })
        }
    }
}
