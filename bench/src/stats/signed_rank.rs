//! The centre of paired differences, robust against a few bad rounds, with an exact interval.
//!
//! Sources: Hodges and Lehmann, "Estimates of Location Based on Rank Tests" (1963); Wilcoxon,
//! "Individual Comparisons by Ranking Methods" (1945); Tukey's construction of the interval from the
//! pairwise means, in Hollander, Wolfe and Chicken, "Nonparametric Statistical Methods", section 3.3.

use super::{Interval, TAIL, order::quantile_of_sorted, sorted};

/// Values up to which the distribution of the rank sum is counted out; 2⁶⁰ sign patterns fit into 64
/// bits. Beyond, the normal approximation is off by less than one rank.
const EXACT_UP_TO: usize = 60;

/// Two-sided 95 % point of the standard normal distribution.
const NORMAL_95: f64 = 1.959_964;

/// The Hodges-Lehmann estimate: the median of the means of all pairs, each value paired with itself
/// too (the Walsh averages).
#[must_use]
pub fn hodges_lehmann(values: &[f64]) -> Option<f64> {
    quantile_of_sorted(&walsh_averages(values)?, 0.5)
}

/// The Wilcoxon signed-rank interval of the centre, with at least 95 % coverage when the values
/// spread symmetrically around it, as log-ratios of two like quantities do.
///
/// Its ends are Walsh averages, counted inwards by the largest rank sum whose tail is within 2.5 %:
/// exact up to 60 values, by the normal approximation with continuity correction beyond. Equal
/// averages (from equal or rounded values) are counted as often as they occur, which keeps the
/// coverage or raises it. `None` below [`INTERVAL_NEEDS`](super::INTERVAL_NEEDS) values.
#[must_use]
pub fn signed_rank_interval(values: &[f64]) -> Option<Interval> {
    let averages = walsh_averages(values)?;
    let cut = Cut::for_count(values.len())?;
    Some(Interval {
        low: *averages.get(cut.rank_sum)?,
        high: *averages.get(averages.len().checked_sub(cut.rank_sum + 1)?)?,
        coverage: 1.0 - 2.0 * cut.tail,
    })
}

fn walsh_averages(values: &[f64]) -> Option<Vec<f64>> {
    let values = sorted(values)?;
    let mut averages: Vec<f64> = values
        .iter()
        .enumerate()
        // Halved before adding, so that even huge values cannot overflow.
        .flat_map(|(index, left)| {
            values[index..]
                .iter()
                .map(move |right| left / 2.0 + right / 2.0)
        })
        .collect();
    averages.sort_by(f64::total_cmp);
    Some(averages)
}

/// The largest rank sum that a test at 5 % would still reject, and the chance of it or a smaller one.
struct Cut {
    rank_sum: usize,
    tail: f64,
}

impl Cut {
    fn for_count(count: usize) -> Option<Self> {
        if count <= EXACT_UP_TO {
            Self::exact(count)
        } else {
            Self::approximate(count)
        }
    }

    fn exact(count: usize) -> Option<Self> {
        let patterns = 2.0_f64.powf(count as f64);
        let mut cumulated = 0_u64;
        let mut cut = None;
        for (rank_sum, ways) in sign_patterns_by_rank_sum(count).into_iter().enumerate() {
            cumulated += ways;
            let tail = cumulated as f64 / patterns;
            if tail > TAIL {
                break;
            }
            cut = Some(Self { rank_sum, tail });
        }
        cut
    }

    fn approximate(count: usize) -> Option<Self> {
        let count = count as f64;
        let mean = count * (count + 1.0) / 4.0;
        let deviation = (count * (count + 1.0) * (2.0 * count + 1.0) / 24.0).sqrt();
        let rank_sum = (mean - NORMAL_95 * deviation - 0.5).floor();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number that is checked to be positive"
        )]
        (rank_sum >= 0.0).then_some(Self {
            rank_sum: rank_sum as usize,
            tail: TAIL,
        })
    }
}

/// For each rank sum from 0: how many of the 2ⁿ ways to give the ranks 1 to n a sign have it as the
/// sum of the positive ones. Each rank in turn either joins the sum or does not.
fn sign_patterns_by_rank_sum(count: usize) -> Vec<u64> {
    let mut ways = vec![0_u64; count * (count + 1) / 2 + 1];
    ways[0] = 1;
    for rank in 1..=count {
        for sum in (rank..ways.len()).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    ways
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rand::{RngExt, SeedableRng, rngs::Xoshiro256PlusPlus};

    #[test]
    fn the_critical_rank_sums_are_the_published_ones() {
        // Wilcoxon signed-rank table, two-sided 5 %, n = 6 to 20 and some larger ones.
        let table = [
            (6, 0),
            (7, 2),
            (8, 3),
            (9, 5),
            (10, 8),
            (11, 10),
            (12, 13),
            (13, 17),
            (14, 21),
            (15, 25),
            (16, 29),
            (17, 34),
            (18, 40),
            (19, 46),
            (20, 52),
            (25, 89),
            (30, 137),
            (50, 434),
        ];
        for (count, expected) in table {
            assert_eq!(Cut::for_count(count).unwrap().rank_sum, expected, "{count}");
        }
        for count in 0..6 {
            assert!(Cut::for_count(count).is_none(), "{count}");
        }
    }

    #[test]
    fn the_approximation_takes_over_without_a_jump() {
        for count in [40, 50, 60] {
            let exact = Cut::exact(count).unwrap().rank_sum;
            let approximate = Cut::approximate(count).unwrap().rank_sum;
            assert!(
                exact.abs_diff(approximate) <= 1,
                "{count}: {exact} {approximate}"
            );
        }
        let values: Vec<f64> = (1..=61).map(f64::from).collect();
        let found = signed_rank_interval(&values).unwrap();
        assert!(found.low > 20.0 && found.high < 42.0, "{found:?}");
    }

    #[test]
    fn six_values_are_covered_by_their_whole_range() {
        let found = signed_rank_interval(&[0.3, 0.1, 0.6, 0.2, 0.5, 0.4]).unwrap();
        assert_eq!((found.low, found.high), (0.1, 0.6));
        assert!((found.coverage - (1.0 - 2.0 / 64.0)).abs() < 1e-12);
    }

    #[test]
    fn ten_values_cut_eight_of_fifty_five_averages_on_each_side() {
        let values: Vec<f64> = (0..10)
            .map(|power| 2.0_f64.powf(f64::from(power)))
            .collect();
        assert_eq!(walsh_averages(&values).unwrap().len(), 55);
        let found = signed_rank_interval(&values).unwrap();
        // Smallest averages: 1, 1.5, 2, 2.5, 3, 4, 4.5, 5, then 6 = (4 + 8) / 2.
        // Largest: 512, 384, 320, 288, 272, 264, 260, 258, then 257 = (2 + 512) / 2.
        assert!((found.low - 6.0).abs() < 1e-12, "{found:?}");
        assert!((found.high - 257.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn the_estimate_is_the_median_of_the_pairwise_means() {
        // Averages of 1, 2, 6: 1, 1.5, 2, 3.5, 4, 6.
        assert_eq!(hodges_lehmann(&[6.0, 1.0, 2.0]), Some(2.75));
        assert_eq!(hodges_lehmann(&[5.0]), Some(5.0));
    }

    #[test]
    fn equal_values_give_a_point() {
        let found = signed_rank_interval(&[0.25; 8]).unwrap();
        assert_eq!((found.low, found.high), (0.25, 0.25));
        assert_eq!(hodges_lehmann(&[0.25; 8]), Some(0.25));
    }

    #[test]
    fn one_wild_round_of_ten_hardly_moves_the_estimate() {
        let mut values = vec![0.09, 0.10, 0.11, 0.10, 0.09, 0.11, 0.10, 0.10, 0.09, 0.11];
        values[3] = 5.0;
        assert!((hodges_lehmann(&values).unwrap() - 0.10).abs() < 0.02);
    }

    #[test]
    fn nothing_follows_from_too_few_values_or_from_values_that_are_no_numbers() {
        assert_eq!(hodges_lehmann(&[]), None);
        assert_eq!(signed_rank_interval(&[]), None);
        assert_eq!(signed_rank_interval(&[0.1; 5]), None);
        assert_eq!(signed_rank_interval(&[f64::NAN; 8]), None);
    }

    #[test]
    fn nineteen_of_twenty_intervals_cover_the_true_centre() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        // Sum of twelve uniform numbers: close to normal, symmetrical, and without a library.
        let mut noise = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        for count in [6, 8, 10, 20] {
            let trials = 2_000;
            let covered = (0..trials)
                .filter(|_| {
                    let values: Vec<f64> = (0..count).map(|_| 0.1 + 0.05 * noise()).collect();
                    let found = signed_rank_interval(&values).unwrap();
                    found.low <= 0.1 && 0.1 <= found.high
                })
                .count();
            let share = covered as f64 / f64::from(trials);
            let nominal = 1.0 - 2.0 * Cut::for_count(count).unwrap().tail;
            assert!(
                (share - nominal).abs() < 0.02,
                "{count}: {share} for {nominal}"
            );
        }
    }
}
