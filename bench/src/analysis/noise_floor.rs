//! What this machine cannot tell apart: a row against itself.

use crate::record::{Comparison, Metric, NoiseFloor, RatioEstimate, Session, Verdict};

/// The noise floor from the rows that were measured twice, by server CPU per operation; with several,
/// the worst. `None` when no row was repeated or nothing could be compared.
pub(super) fn noise_floor(session: &Session, comparisons: &[Comparison]) -> Option<NoiseFloor> {
    session
        .rows
        .iter()
        .filter(|row| row.repeats.is_some())
        .filter_map(|repetition| {
            comparisons.iter().find(|found| {
                found.row == repetition.id && found.metric == Metric::ServerCpuUsPerOp
            })
        })
        .filter_map(from_comparison)
        .max_by(|left, right| {
            let by_verdict = left.false_difference.cmp(&right.false_difference);
            by_verdict.then(left.share.total_cmp(&right.share))
        })
}

fn from_comparison(found: &Comparison) -> Option<NoiseFloor> {
    let ratio = found.ratio?;
    Some(NoiseFloor {
        row: found.against.clone(),
        repetition: found.row.clone(),
        ratio,
        share: distance_from_one(&ratio),
        false_difference: matches!(
            found.verdict,
            Verdict::Better { .. } | Verdict::SlightlyBetter { .. }
        ),
    })
}

/// The end of the interval that is farther from 1; below six rounds, of the range.
fn distance_from_one(ratio: &RatioEstimate) -> f64 {
    let low = ratio.low.unwrap_or(ratio.min);
    let high = ratio.high.unwrap_or(ratio.max);
    (low - 1.0).abs().max((high - 1.0).abs())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::analysis::analyse;
    use crate::record::fixture;

    fn floor(rows: &[(&str, &[f64])]) -> Option<NoiseFloor> {
        analyse(&fixture::session(rows)).noise_floor
    }

    const LEVEL: [f64; 6] = [100.0; 6];

    #[test]
    fn the_interval_of_a_row_against_itself_is_the_floor() {
        let repetition = [97.0, 100.0, 102.0, 99.0, 101.0, 100.0];
        let found = floor(&[("a-rest", &LEVEL), ("a-rest#2", &repetition)]).unwrap();
        assert_eq!(
            (found.row.as_str(), found.repetition.as_str()),
            ("a-rest", "a-rest#2")
        );
        assert!((found.share - 0.03).abs() < 1e-9, "{found:?}");
        assert!(!found.false_difference);
    }

    #[test]
    fn a_row_that_differs_from_itself_is_a_false_difference() {
        let repetition = LEVEL.map(|cost| cost * 1.2);
        let found = floor(&[("a-rest", &LEVEL), ("a-rest#2", &repetition)]).unwrap();
        assert!(
            found.false_difference && (found.share - 0.2).abs() < 1e-9,
            "{found:?}"
        );
        let slightly = [102.0, 104.0, 108.0, 103.0, 107.0, 105.0];
        assert!(
            floor(&[("a-rest", &LEVEL), ("a-rest#2", &slightly)])
                .unwrap()
                .false_difference
        );
    }

    #[test]
    fn below_six_rounds_the_range_is_the_floor_and_nothing_is_false() {
        let found = floor(&[("a-rest", &[100.0; 2]), ("a-rest#2", &[110.0, 120.0])]).unwrap();
        assert!(
            !found.false_difference && (found.share - 0.2).abs() < 1e-9,
            "{found:?}"
        );
    }

    #[test]
    fn of_several_repetitions_the_worst_counts() {
        let near = LEVEL.map(|cost| cost * 1.01);
        let far = LEVEL.map(|cost| cost * 1.04);
        let found = floor(&[("a-rest", &LEVEL), ("a-rest#2", &far), ("a-rest#3", &near)]).unwrap();
        assert_eq!(found.repetition, "a-rest#2");
    }

    #[test]
    fn without_a_repetition_or_its_runs_there_is_no_floor() {
        assert_eq!(floor(&[("a-rest", &LEVEL), ("a-grpc", &LEVEL)]), None);
        assert_eq!(floor(&[("a-rest", &LEVEL), ("a-rest#2", &[])]), None);
    }
}
