//! Order statistics: quantiles, the median, and the exact interval of the median.

use super::{TAIL, sorted};

/// An interval that covers what it estimates with the stated probability.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Probability of covering, at least 0.95: the next narrower interval would have less.
    pub coverage: f64,
}

/// The value below which the share `q` (0 to 1) of the values lies, interpolated linearly between
/// neighbours (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", 1996).
#[must_use]
pub fn quantile(values: &[f64], q: f64) -> Option<f64> {
    if !(0.0..=1.0).contains(&q) {
        return None;
    }
    quantile_of_sorted(&sorted(values)?, q)
}

/// The middle value, or the mean of the two in the middle.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The interval of the median with at least 95 % coverage, whatever the distribution: between the
/// k-th smallest and the k-th largest value, with the largest k that keeps the binomial tails within
/// 2.5 % each (David and Nagaraja, "Order Statistics", section 7.1). `None` below
/// [`INTERVAL_NEEDS`](super::INTERVAL_NEEDS) values.
#[must_use]
pub fn median_interval(values: &[f64]) -> Option<Interval> {
    let sorted = sorted(values)?;
    let count = sorted.len();
    let mut below = 0.0;
    let mut tail = 0.0;
    let mut cut = 0;
    // The chance that exactly `cut` of the values lie below the true median.
    let mut chance = 0.5_f64.powf(count as f64);
    while cut < count / 2 && below + chance <= TAIL {
        below += chance;
        tail = below;
        chance *= (count - cut) as f64 / (cut + 1) as f64;
        cut += 1;
    }
    (cut > 0).then(|| Interval {
        low: sorted[cut - 1],
        high: sorted[count - cut],
        coverage: 1.0 - 2.0 * tail,
    })
}

pub(super) fn quantile_of_sorted(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let position = q * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let below = (position.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let weight = position - below as f64;
    Some(sorted[below] + weight * (sorted[above] - sorted[below]))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-12
    }

    fn one_to(count: u32) -> Vec<f64> {
        (1..=count).rev().map(f64::from).collect()
    }

    #[test]
    fn the_median_is_the_middle_value_or_the_mean_of_two() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[7.0]), Some(7.0));
    }

    #[test]
    fn quantiles_lie_on_the_line_between_neighbours() {
        let values = [10.0, 20.0, 30.0, 40.0, 50.0];
        assert!(close(quantile(&values, 0.0).unwrap(), 10.0));
        assert!(close(quantile(&values, 0.95).unwrap(), 48.0));
        assert!(close(quantile(&values, 1.0).unwrap(), 50.0));
        assert_eq!(quantile(&values, 1.5), None);
        assert_eq!(quantile(&values, f64::NAN), None);
    }

    #[test]
    fn nothing_follows_from_no_values_or_from_values_that_are_no_numbers() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, f64::NAN]), None);
        assert_eq!(median_interval(&[]), None);
        assert_eq!(median_interval(&[f64::INFINITY; 8]), None);
    }

    #[test]
    fn five_values_have_no_interval_of_the_median() {
        assert_eq!(median_interval(&one_to(5)), None);
    }

    #[test]
    fn the_interval_of_the_median_has_the_binomial_ranks() {
        // (values, rank of the lower end, tail counted by hand: sum of C(n, i) for i < rank, over 2^n)
        let by_hand = [
            (6, 1, 1.0 / 64.0),
            (8, 1, 1.0 / 256.0),
            (9, 2, 10.0 / 512.0),
            (10, 2, 11.0 / 1024.0),
            (12, 3, 79.0 / 4096.0),
            (15, 4, 576.0 / 32_768.0),
            (20, 6, 21_700.0 / 1_048_576.0),
        ];
        for (count, rank, tail) in by_hand {
            let found = median_interval(&one_to(count)).unwrap();
            assert!(close(found.low, f64::from(rank)), "{count}: {found:?}");
            assert!(
                close(found.high, f64::from(count + 1 - rank)),
                "{count}: {found:?}"
            );
            assert!(
                close(found.coverage, 1.0 - 2.0 * tail),
                "{count}: {found:?}"
            );
        }
    }

    #[test]
    fn a_thousand_values_have_a_narrow_interval() {
        let found = median_interval(&one_to(1_000)).unwrap();
        // Normal approximation of the binomial: 500 ∓ 1.96 × √250 = 469 and 531.
        assert!((468.0..=470.0).contains(&found.low), "{found:?}");
        assert!((531.0..=533.0).contains(&found.high), "{found:?}");
    }
}
