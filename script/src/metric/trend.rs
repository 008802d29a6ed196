//! Distributions, every sample kept.

use measure::Trend;

/// Nanoseconds in a millisecond, the unit of k6's times.
const NS_PER_MS: f64 = 1e6;

/// The samples of a trend: durations that the runner measured, in ns, and values that the script
/// gave.
#[derive(Clone, Debug, Default)]
pub struct TrendSink {
    durations: Trend,
    values: Vec<f64>,
}

impl TrendSink {
    /// Adds a measured duration, in ns.
    #[inline]
    pub fn record_ns(&mut self, ns: u64) {
        self.durations.record(ns);
    }

    /// Adds a value: ms in a trend of times.
    pub fn record(&mut self, value: f64) {
        self.values.push(value);
    }

    /// Takes over the samples of another.
    pub fn merge(&mut self, other: Self) {
        self.durations.merge(other.durations);
        self.values.extend(other.values);
    }

    /// A sorted copy that answers questions, durations in ms.
    #[must_use]
    pub fn sorted(&self) -> SortedValues {
        // Whole numbers sort faster, and their order stays when they become ms.
        let mut durations: Vec<u64> = self.durations.samples().collect();
        durations.sort_unstable();
        let mut values = Vec::with_capacity(self.values.len() + durations.len());
        values.extend(durations.into_iter().map(|ns| ns as f64 / NS_PER_MS));
        if !self.values.is_empty() {
            values.extend(&self.values);
            values.sort_unstable_by(f64::total_cmp);
        }
        SortedValues { values }
    }
}

/// Samples in ascending order. Without samples every answer is 0, as k6 has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedValues {
    values: Vec<f64>,
}

impl SortedValues {
    /// Number of samples.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// The smallest.
    #[must_use]
    pub fn min(&self) -> f64 {
        self.values.first().copied().unwrap_or_default()
    }

    /// The largest.
    #[must_use]
    pub fn max(&self) -> f64 {
        self.values.last().copied().unwrap_or_default()
    }

    /// The arithmetic mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.values.is_empty() {
            return 0.0;
        }
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// The percentile `p` (0 to 1): the sample at index `p · (n − 1)`, and between two samples the
    /// straight line from one to the other.
    #[must_use]
    pub fn percentile(&self, p: f64) -> f64 {
        let Some(last) = self.values.len().checked_sub(1) else {
            return 0.0;
        };
        let index = p.clamp(0.0, 1.0) * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the last index"
        )]
        let below = index.floor() as usize;
        let above = (below + 1).min(last);
        let (low, high) = (self.values[below], self.values[above]);
        low + (high - low) * index.fract()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_close(actual: f64, expected: f64) {
        assert!(
            (actual - expected).abs() <= 1e-9,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn durations_and_values_are_one_distribution() {
        let mut sink = TrendSink::default();
        sink.record_ns(2_000_000);
        sink.record(-1.5);
        let mut other = TrendSink::default();
        other.record(4.0);
        sink.merge(other);
        let sorted = sink.sorted();
        assert_eq!(sorted.count(), 3);
        assert_close(sorted.min(), -1.5);
        assert_close(sorted.max(), 4.0);
        assert_close(sorted.mean(), 1.5);
        assert_close(sorted.percentile(0.5), 2.0);
        assert_close(sorted.percentile(0.75), 3.0);
    }

    #[test]
    fn no_samples_are_zero() {
        let sorted = TrendSink::default().sorted();
        assert_close(sorted.percentile(0.95), 0.0);
        assert_close(sorted.mean(), 0.0);
        assert_close(sorted.min() + sorted.max(), 0.0);
    }
}
