//! Whether values rise or fall over the rounds.
//!
//! Sources: Mann, "Nonparametric Tests Against Trend" (1945); Kendall, "Rank Correlation Methods",
//! for the distribution of the score and the variance with ties.

use std::cmp::Ordering;

/// Values up to which the exact distribution is counted out when none are equal.
const EXACT_UP_TO: usize = 60;

/// Fewest values of which a trend can be spoken of.
const NEEDS: usize = 3;

/// A trend over time and how surprising it would be without one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trend {
    /// Kendall's tau-b between value and order, −1 (always falling) to 1 (always rising).
    pub tau: f64,
    /// Chance of at least this much trend, either way, in values that are in random order.
    pub p: f64,
}

/// The Mann-Kendall test of values in time order.
///
/// `p` is exact up to 60 values that all differ. With equal values, or with more, it comes from the
/// normal approximation with continuity correction and the variance that Kendall gives for ties. Where
/// all values are equal there is no trend: tau 0, `p` 1. `None` below 3 values.
#[must_use]
pub fn mann_kendall(values: &[f64]) -> Option<Trend> {
    if values.len() < NEEDS || !values.iter().all(|value| value.is_finite()) {
        return None;
    }
    let score = score(values);
    let ties = sizes_of_equal_groups(values);
    let pairs = pairs_of(values.len());
    let different_pairs = pairs - ties.iter().map(|&size| pairs_of(size)).sum::<f64>();
    if different_pairs == 0.0 {
        return Some(Trend { tau: 0.0, p: 1.0 });
    }
    let p = if ties.is_empty() && values.len() <= EXACT_UP_TO {
        exact_p(score, values.len())
    } else {
        approximate_p(score, values.len(), &ties)
    };
    Some(Trend {
        tau: score / (pairs * different_pairs).sqrt(),
        p,
    })
}

/// Pairs in which the later value is larger, minus pairs in which it is smaller.
fn score(values: &[f64]) -> f64 {
    values
        .iter()
        .enumerate()
        .flat_map(|(index, earlier)| {
            values[index + 1..]
                .iter()
                .map(move |later| (earlier, later))
        })
        .map(|(earlier, later)| match later.partial_cmp(earlier) {
            Some(Ordering::Greater) => 1.0,
            Some(Ordering::Less) => -1.0,
            _ => 0.0,
        })
        .sum()
}

/// How many values share each value that occurs more than once.
fn sizes_of_equal_groups(values: &[f64]) -> Vec<usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .chunk_by(|left, right| left.partial_cmp(right) == Some(Ordering::Equal))
        .map(<[f64]>::len)
        .filter(|&size| size > 1)
        .collect()
}

fn pairs_of(count: usize) -> f64 {
    let count = count as f64;
    count * (count - 1.0) / 2.0
}

/// Two-sided `p` from the distribution of inversions over all orders: inserting the n-th value adds 0
/// to n − 1 inversions, each equally likely.
fn exact_p(score: f64, count: usize) -> f64 {
    let mut chances = vec![1.0];
    for inserted in 2..=count {
        let mut next = vec![0.0; chances.len() + inserted - 1];
        for (inversions, chance) in chances.iter().enumerate() {
            for place in &mut next[inversions..inversions + inserted] {
                *place += chance / inserted as f64;
            }
        }
        chances = next;
    }
    // Inversions are the pairs that fall: score = pairs − 2 × inversions.
    let as_few = (pairs_of(count) - score.abs()) / 2.0;
    let tail: f64 = chances
        .iter()
        .enumerate()
        .take_while(|(inversions, _)| *inversions as f64 <= as_few)
        .map(|(_, chance)| chance)
        .sum();
    (2.0 * tail).min(1.0)
}

fn approximate_p(score: f64, count: usize, ties: &[usize]) -> f64 {
    let term = |size: usize| {
        let size = size as f64;
        size * (size - 1.0) * (2.0 * size + 5.0)
    };
    let variance = (term(count) - ties.iter().map(|&size| term(size)).sum::<f64>()) / 18.0;
    let z = (score.abs() - 1.0).max(0.0) / variance.sqrt();
    two_sided_normal(z)
}

/// Chance that a standard normal value lies at least `z` ≥ 0 from 0, either way: the complementary
/// error function of z/√2, by formula 7.1.26 of Abramowitz and Stegun (error below 1.5e-7).
fn two_sided_normal(z: f64) -> f64 {
    let x = z / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let coefficients = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let polynomial = coefficients
        .iter()
        .fold(0.0, |sum, coefficient| (sum + coefficient) * t);
    (polynomial * (-x * x).exp()).min(1.0)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn trend(values: &[f64]) -> Trend {
        mann_kendall(values).unwrap()
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-6
    }

    #[test]
    fn a_steady_rise_is_one_order_of_all() {
        // Two of the 5! orders are as extreme: the rising and the falling one.
        let rising = trend(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(
            close(rising.tau, 1.0) && close(rising.p, 2.0 / 120.0),
            "{rising:?}"
        );
        let falling = trend(&[5.0, 4.0, 3.0, 2.0, 1.0]);
        assert!(
            close(falling.tau, -1.0) && close(falling.p, rising.p),
            "{falling:?}"
        );
    }

    #[test]
    fn the_exact_p_counts_the_orders() {
        // 2 1 3 4: one inversion, score 4 of 6; orders with at most one inversion: 1 + 3 of 24.
        let found = trend(&[2.0, 1.0, 3.0, 4.0]);
        assert!(
            close(found.tau, 4.0 / 6.0) && close(found.p, 8.0 / 24.0),
            "{found:?}"
        );
        // 2 1 4 3 5: two inversions; orders of five with at most two: 1 + 4 + 9 of 120.
        let found = trend(&[2.0, 1.0, 4.0, 3.0, 5.0]);
        assert!(
            close(found.tau, 6.0 / 10.0) && close(found.p, 28.0 / 120.0),
            "{found:?}"
        );
        // As many rises as falls is no trend at all.
        let found = trend(&[2.0, 4.0, 1.0, 3.0]);
        assert!(close(found.tau, 0.0) && close(found.p, 1.0), "{found:?}");
    }

    #[test]
    fn equal_values_shrink_the_variance() {
        // Score of 1 2 2 3 4 5: 15 pairs, one tied, all others rising: 14.
        // Variance (6·5·17 − 2·1·9) / 18 = 27.333; z = 13 / 5.2281 = 2.48657; p = 0.012898.
        let found = trend(&[1.0, 2.0, 2.0, 3.0, 4.0, 5.0]);
        assert!(
            close(found.tau, 14.0 / (15.0_f64 * 14.0).sqrt()),
            "{found:?}"
        );
        assert!((found.p - 0.012_898).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn the_approximation_agrees_with_the_exact_count() {
        let count = 40;
        for score in [40.0, 180.0, 260.0] {
            let exact = exact_p(score, count);
            let approximate = approximate_p(score, count, &[]);
            assert!(
                (exact - approximate).abs() < 0.003,
                "{score}: {exact} {approximate}"
            );
        }
        let long: Vec<f64> = (0..100).map(f64::from).collect();
        assert!(trend(&long).p < 1e-6);
    }

    #[test]
    fn known_points_of_the_normal_distribution() {
        for (z, p) in [
            (0.0, 1.0),
            (1.0, 0.317_310_5),
            (1.959_964, 0.05),
            (3.0, 0.002_699_8),
        ] {
            assert!(close(two_sided_normal(z), p), "{z}");
        }
    }

    #[test]
    fn no_trend_where_nothing_changes_and_none_where_there_is_too_little() {
        assert_eq!(trend(&[3.0; 6]), Trend { tau: 0.0, p: 1.0 });
        assert_eq!(trend(&[0.0, -0.0, 0.0]), Trend { tau: 0.0, p: 1.0 });
        assert_eq!(mann_kendall(&[]), None);
        assert_eq!(mann_kendall(&[1.0, 2.0]), None);
        assert_eq!(mann_kendall(&[1.0, f64::NAN, 2.0]), None);
    }
}
