//! Paired measurements of two contenders, and their ratio.

use bookstore_bench::stats::{hodges_lehmann, median, signed_rank_interval};

/// One value of each contender per round.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    ours: Vec<f64>,
    theirs: Vec<f64>,
}

/// The centre of a ratio, with its 95 % interval from 6 rounds on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// Hodges-Lehmann estimate of the paired log-ratio, exponentiated.
    pub centre: f64,
    /// Ends of the exact signed-rank interval.
    pub interval: Option<(f64, f64)>,
}

impl Pairs {
    /// Adds a round.
    pub fn push(&mut self, ours: f64, theirs: f64) {
        self.ours.push(ours);
        self.theirs.push(theirs);
    }

    /// Median of our side; `None` before the first round.
    pub fn our_median(&self) -> Option<f64> {
        median(&self.ours)
    }

    /// Median of the other side; `None` before the first round.
    pub fn their_median(&self) -> Option<f64> {
        median(&self.theirs)
    }

    /// Ours divided by theirs; `None` without rounds or where a value is not positive.
    pub fn ratio(&self) -> Option<Ratio> {
        let logs: Vec<f64> = self
            .ours
            .iter()
            .zip(&self.theirs)
            .map(|(ours, theirs)| (ours / theirs).ln())
            .collect();
        Some(Ratio {
            centre: hodges_lehmann(&logs)?.exp(),
            interval: signed_rank_interval(&logs)
                .map(|interval| (interval.low.exp(), interval.high.exp())),
        })
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_constant_ratio_is_found_whatever_the_level() {
        let mut pairs = Pairs::default();
        for level in [10.0, 17.0, 10.5, 18.0, 11.0, 9.0] {
            pairs.push(level * 1.3, level);
        }
        let ratio = pairs.ratio().unwrap();
        let (low, high) = ratio.interval.unwrap();
        for value in [ratio.centre, low, high] {
            assert!((value - 1.3).abs() < 1e-9, "{ratio:?}");
        }
        assert!((pairs.their_median().unwrap() - 10.75).abs() < 1e-9);
        assert!((pairs.our_median().unwrap() - 13.975).abs() < 1e-9);
    }

    #[test]
    fn five_rounds_have_no_interval_and_none_have_no_ratio() {
        let mut pairs = Pairs::default();
        assert_eq!(pairs.ratio(), None);
        for _ in 0..5 {
            pairs.push(2.0, 1.0);
        }
        assert_eq!(pairs.ratio().unwrap().interval, None);
        pairs.push(2.0, 0.0);
        assert_eq!(pairs.ratio(), None);
    }
}
