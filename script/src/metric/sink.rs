//! What samples add up to.

use std::time::Instant;

use super::{Kind, TrendSink};

/// The samples of a metric, or of a part of it.
#[derive(Clone, Debug)]
pub enum Sink {
    /// Their sum.
    Counter {
        /// The sum.
        sum: f64,
    },
    /// Last, smallest and largest; absent without samples.
    Gauge(Option<GaugeSink>),
    /// Shares.
    Rate {
        /// Samples that are not 0.
        nonzero: u64,
        /// All samples.
        total: u64,
    },
    /// The distribution.
    Trend(TrendSink),
}

/// Samples of a gauge.
#[derive(Clone, Copy, Debug)]
pub struct GaugeSink {
    /// The last one.
    pub last: f64,
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    at: Instant,
}

impl Sink {
    /// One without samples.
    #[must_use]
    pub fn new(kind: Kind) -> Self {
        match kind {
            Kind::Counter => Self::Counter { sum: 0.0 },
            Kind::Gauge => Self::Gauge(None),
            Kind::Rate => Self::Rate {
                nonzero: 0,
                total: 0,
            },
            Kind::Trend => Self::Trend(TrendSink::default()),
        }
    }

    /// Adds a sample; ms in a trend of times.
    pub fn record(&mut self, value: f64) {
        match self {
            Self::Counter { sum } => *sum += value,
            Self::Gauge(gauge) => {
                let sample = GaugeSink {
                    last: value,
                    min: value,
                    max: value,
                    at: Instant::now(),
                };
                merge_gauge(gauge, sample);
            }
            Self::Rate { nonzero, total } => {
                *nonzero += u64::from(value != 0.0);
                *total += 1;
            }
            Self::Trend(trend) => trend.record(value),
        }
    }

    /// Adds a measured duration, in ns.
    #[inline]
    pub fn record_ns(&mut self, ns: u64) {
        match self {
            Self::Trend(trend) => trend.record_ns(ns),
            other => other.record(ns as f64 / 1e6),
        }
    }

    /// Takes over the samples of another sink of the same kind.
    pub fn merge(&mut self, other: Self) {
        match (self, other) {
            (Self::Counter { sum }, Self::Counter { sum: more }) => *sum += more,
            (Self::Gauge(gauge), Self::Gauge(Some(more))) => merge_gauge(gauge, more),
            (
                Self::Rate { nonzero, total },
                Self::Rate {
                    nonzero: more_nonzero,
                    total: more,
                },
            ) => {
                *nonzero += more_nonzero;
                *total += more;
            }
            (Self::Trend(trend), Self::Trend(more)) => trend.merge(more),
            // A gauge without samples adds nothing, and kinds never differ for one metric.
            _ => {}
        }
    }
}

fn merge_gauge(gauge: &mut Option<GaugeSink>, more: GaugeSink) {
    *gauge = Some(match *gauge {
        None => more,
        Some(known) => {
            let latest = if more.at >= known.at { more } else { known };
            GaugeSink {
                min: known.min.min(more.min),
                max: known.max.max(more.max),
                ..latest
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merged_gauge_has_the_latest_value() {
        let (mut early, mut late) = (Sink::new(Kind::Gauge), Sink::new(Kind::Gauge));
        early.record(5.0);
        late.record(2.0);
        late.merge(early);
        let Sink::Gauge(Some(gauge)) = late else {
            panic!("no sample")
        };
        assert_eq!((gauge.last, gauge.min, gauge.max), (2.0, 2.0, 5.0));
    }
}
