//! The shift between two samples that were not measured side by side, with its interval.
//!
//! Sources: Mann and Whitney, "On a Test of Whether One of Two Random Variables Is Stochastically
//! Larger than the Other" (1947); Hodges and Lehmann (1963); Moses' interval from the pairwise
//! differences, in Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", section 4.3.

use super::{Interval, TAIL, order::quantile_of_sorted, sorted};

/// Values per side up to which the distribution is counted out.
const EXACT_UP_TO: usize = 60;

/// Two-sided 95 % point of the standard normal distribution.
const NORMAL_95: f64 = 1.959_964;

/// The Hodges-Lehmann estimate of how much larger `values` are than `others`: the median of all
/// differences between one of each.
#[must_use]
pub fn shift(values: &[f64], others: &[f64]) -> Option<f64> {
    quantile_of_sorted(&differences(values, others)?, 0.5)
}

/// The interval of the shift with at least 95 % coverage, when both samples differ by a shift alone:
/// exact up to 60 values a side, by the normal approximation beyond. `None` where the samples are too
/// small for it, as three against three are.
#[must_use]
pub fn rank_sum_interval(values: &[f64], others: &[f64]) -> Option<Interval> {
    let differences = differences(values, others)?;
    let (cut, tail) = cut(values.len(), others.len())?;
    Some(Interval {
        low: *differences.get(cut)?,
        high: *differences.get(differences.len().checked_sub(cut + 1)?)?,
        coverage: 1.0 - 2.0 * tail,
    })
}

fn differences(values: &[f64], others: &[f64]) -> Option<Vec<f64>> {
    let (values, others) = (sorted(values)?, sorted(others)?);
    let all: Vec<f64> = values
        .iter()
        .flat_map(|value| others.iter().map(move |other| value - other))
        .collect();
    sorted(&all)
}

/// The largest statistic that a test at 5 % would still reject, and the chance of it or a smaller one.
fn cut(first: usize, second: usize) -> Option<(usize, f64)> {
    if first.max(second) > EXACT_UP_TO {
        return approximate_cut(first as f64, second as f64);
    }
    let mut tail = 0.0;
    let mut found = None;
    for (statistic, chance) in chances(first, second).into_iter().enumerate() {
        tail += chance;
        if tail > TAIL {
            break;
        }
        found = Some((statistic, tail));
    }
    found
}

/// The chance of each value of the Mann-Whitney statistic when all orders are alike. The largest of
/// all values is one of the first sample with the chance first / (first + second), and then lies above
/// every value of the second.
fn chances(first: usize, second: usize) -> Vec<f64> {
    // rows[i] holds the chances for i values against the `done` values of the second sample.
    let mut rows: Vec<Vec<f64>> = vec![vec![1.0]; first + 1];
    for done in 1..=second {
        let mut next: Vec<Vec<f64>> = vec![vec![1.0]];
        for count in 1..=first {
            let all = (count + done) as f64;
            let mut row = vec![0.0; count * done + 1];
            for (statistic, chance) in next[count - 1].iter().enumerate() {
                row[statistic + done] += chance * count as f64 / all;
            }
            for (statistic, chance) in rows[count].iter().enumerate() {
                row[statistic] += chance * done as f64 / all;
            }
            next.push(row);
        }
        rows = next;
    }
    rows.pop().unwrap_or_default()
}

fn approximate_cut(first: f64, second: f64) -> Option<(usize, f64)> {
    let mean = first * second / 2.0;
    let deviation = (first * second * (first + second + 1.0) / 12.0).sqrt();
    let cut = (mean - NORMAL_95 * deviation - 0.5).floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number that is checked to be positive"
    )]
    (cut >= 0.0).then_some((cut as usize, TAIL))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_distribution_is_that_of_the_published_tables() {
        // 4 against 4: 70 orders; one has statistic 0, one 1, two have 2.
        let found = chances(4, 4);
        assert_eq!(found.len(), 17);
        for (statistic, orders) in [(0, 1.0), (1, 1.0), (2, 2.0), (16, 1.0)] {
            assert!(
                (found[statistic] - orders / 70.0).abs() < 1e-12,
                "{statistic}"
            );
        }
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        // Two-sided 5 % tables: U ≤ 0, 2, 5, 8, 13, 23 is rejected at 4, 5, 6, 7, 8, 10 a side.
        for (size, critical) in [(4, 0), (5, 2), (6, 5), (7, 8), (8, 13), (10, 23)] {
            assert_eq!(cut(size, size).unwrap().0, critical, "{size}");
        }
        assert_eq!(cut(3, 3), None);
    }

    #[test]
    fn a_shift_is_found_with_an_interval_that_holds_it() {
        let values = [10.3, 10.1, 9.9, 10.2, 10.0, 9.8];
        let shifted = values.map(|value| value + 2.0);
        assert!((shift(&shifted, &values).unwrap() - 2.0).abs() < 1e-9);
        let interval = rank_sum_interval(&shifted, &values).unwrap();
        assert!(interval.low < 2.0 && 2.0 < interval.high && interval.low > 1.5);
        assert!(interval.coverage >= 0.95);
    }

    #[test]
    fn large_samples_use_the_approximation() {
        let exact = cut(60, 60).unwrap().0;
        let approximate = approximate_cut(60.0, 60.0).unwrap().0;
        assert!(exact.abs_diff(approximate) <= 1, "{exact} {approximate}");
        assert_eq!(shift(&[], &[1.0]), None);
        assert_eq!(rank_sum_interval(&[1.0], &[2.0]), None);
    }
}
