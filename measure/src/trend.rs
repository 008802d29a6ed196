//! Durations, every one of them kept.

/// Samples in one block: 512 KiB. Blocks never move, so a growing trend copies nothing while the
/// load runs.
const BLOCK: usize = 65_536;

/// Durations in nanoseconds, in the order in which they were recorded.
///
/// Nothing is rounded or put in a histogram. Memory is 8 bytes per sample, in blocks of 512 KiB:
/// 80 MB for ten million operations.
#[derive(Clone, Debug, Default)]
pub struct Trend {
    blocks: Vec<Vec<u64>>,
}

impl Trend {
    /// An empty trend whose first block is allocated.
    #[must_use]
    pub fn new() -> Self {
        Self {
            blocks: vec![Vec::with_capacity(BLOCK)],
        }
    }

    /// Adds one duration, in ns.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        match self.blocks.last_mut() {
            Some(block) if block.len() < block.capacity() => block.push(ns),
            _ => self.start_block(ns),
        }
    }

    #[cold]
    fn start_block(&mut self, ns: u64) {
        let mut block = Vec::with_capacity(BLOCK);
        block.push(ns);
        self.blocks.push(block);
    }

    /// Takes over the samples of another trend.
    pub fn merge(&mut self, other: Self) {
        self.blocks.extend(other.blocks);
    }

    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.iter().map(Vec::len).sum()
    }

    /// Whether nothing was recorded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.iter().all(Vec::is_empty)
    }

    /// Every sample, in ns.
    pub fn samples(&self) -> impl Iterator<Item = u64> {
        self.blocks.iter().flatten().copied()
    }

    /// A sorted copy, which answers questions. It needs another 8 bytes per sample.
    #[must_use]
    pub fn sorted(&self) -> SortedTrend {
        let mut samples = self.blocks.concat();
        samples.sort_unstable();
        SortedTrend { samples }
    }
}

/// The samples of a [`Trend`] in ascending order. Every answer is in ns and `None` without samples.
#[derive(Clone, Debug)]
pub struct SortedTrend {
    samples: Vec<u64>,
}

impl SortedTrend {
    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is no sample.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The shortest duration.
    #[must_use]
    pub fn min_ns(&self) -> Option<u64> {
        self.samples.first().copied()
    }

    /// The longest duration.
    #[must_use]
    pub fn max_ns(&self) -> Option<u64> {
        self.samples.last().copied()
    }

    /// The arithmetic mean.
    #[must_use]
    pub fn mean_ns(&self) -> Option<f64> {
        if self.samples.is_empty() {
            return None;
        }
        let sum: u128 = self.samples.iter().copied().map(u128::from).sum();
        Some(sum as f64 / self.samples.len() as f64)
    }

    /// The percentile `p` (0 to 1; values outside count as the nearer end), as k6's trends have
    /// it: the sample at index `p · (n − 1)` of the sorted samples, and between two samples the
    /// straight line from one to the other.
    #[must_use]
    pub fn percentile_ns(&self, p: f64) -> Option<f64> {
        let last = self.samples.len().checked_sub(1)?;
        let index = p.clamp(0.0, 1.0) * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the last index"
        )]
        let below = index.floor() as usize;
        let above = (below + 1).min(last);
        let (low, high) = (self.samples[below] as f64, self.samples[above] as f64);
        Some(low + (high - low) * index.fract())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn trend(samples: &[u64]) -> Trend {
        let mut trend = Trend::new();
        for &sample in samples {
            trend.record(sample);
        }
        trend
    }

    #[track_caller]
    fn assert_close(actual: Option<f64>, expected: f64) {
        let actual = actual.unwrap();
        assert!(
            (actual - expected).abs() <= expected.abs() * 1e-12,
            "{actual} is not {expected}"
        );
    }

    #[test]
    fn percentiles_interpolate_between_neighbours() {
        let sorted = trend(&[40, 10, 30, 20]).sorted();
        assert_close(sorted.percentile_ns(0.0), 10.0);
        assert_close(sorted.percentile_ns(0.5), 25.0);
        assert_close(sorted.percentile_ns(0.9), 37.0);
        assert_close(sorted.percentile_ns(0.95), 38.5);
        assert_close(sorted.percentile_ns(1.0), 40.0);
        assert_close(sorted.percentile_ns(7.0), 40.0);
        assert_close(sorted.mean_ns(), 25.0);
        assert_eq!((sorted.min_ns(), sorted.max_ns()), (Some(10), Some(40)));
    }

    #[test]
    fn one_sample_is_every_percentile_and_none_is_no_answer() {
        let one = trend(&[7]).sorted();
        assert_close(one.percentile_ns(0.0), 7.0);
        assert_close(one.percentile_ns(0.99), 7.0);
        let none = Trend::new().sorted();
        assert_eq!(none.percentile_ns(0.5), None);
        assert_eq!(none.mean_ns(), None);
        assert_eq!(none.min_ns(), None);
    }

    #[test]
    fn the_mean_of_huge_samples_does_not_overflow() {
        assert_close(
            trend(&[u64::MAX, u64::MAX]).sorted().mean_ns(),
            u64::MAX as f64,
        );
    }

    #[test]
    fn samples_beyond_one_block_are_all_kept() {
        let samples: Vec<u64> = (0..2 * BLOCK as u64 + 3).collect();
        let trend = trend(&samples);
        assert_eq!(trend.len(), samples.len());
        assert_eq!(trend.sorted().samples, samples);
    }

    proptest! {
        #[test]
        fn a_percentile_is_what_the_sorted_samples_say(
            first in prop::collection::vec(0..1_u64 << 50, 0..200),
            second in prop::collection::vec(0..1_000_u64, 0..200),
            permille in 0..=1000_usize,
        ) {
            let mut merged = trend(&first);
            merged.merge(trend(&second));
            // Recording goes on after a merge.
            merged.record(5);
            let mut expected = [first, second, vec![5]].concat();
            expected.sort_unstable();
            let sorted = merged.sorted();
            prop_assert_eq!(&sorted.samples, &expected);
            prop_assert_eq!(merged.len(), expected.len());

            let scaled = permille * (expected.len() - 1);
            let (below, rest) = (scaled / 1000, scaled % 1000);
            let (low, high) = (expected[below], expected[(below + 1).min(expected.len() - 1)]);
            let reference = low as f64 + (high - low) as f64 * (rest as f64 / 1000.0);
            let value = sorted.percentile_ns(permille as f64 / 1000.0).unwrap();
            // The index is a rounded product: off by a tiny fraction of a rank.
            prop_assert!((value - reference).abs() <= 1e-9 * expected[expected.len() - 1] as f64);
        }
    }
}
