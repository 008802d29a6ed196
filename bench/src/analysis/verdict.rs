//! What a ratio and its interval mean, given the tie margin.

use crate::{
    record::{Metric, RatioEstimate, Verdict},
    stats::INTERVAL_NEEDS,
};

/// Beyond this many further rounds the present spread is no guide, and nobody would wait.
pub(crate) const MOST_MORE_ROUNDS: f64 = 200.0;

/// The ratio of two rows in one metric.
pub(super) struct Finding<'a> {
    pub metric: Metric,
    /// Row in the numerator.
    pub row: &'a str,
    /// Row in the denominator.
    pub against: &'a str,
    /// Rounds that the ratio rests on.
    pub rounds: u32,
    /// Absent when nothing could be compared.
    pub ratio: Option<RatioEstimate>,
}

impl Finding<'_> {
    /// The verdict: a tie within `1/(1 + margin)` to `1 + margin`, better when wholly outside, slightly
    /// better when wholly on one side of 1, and otherwise not settled.
    pub fn verdict(&self, margin: f64) -> Verdict {
        let Some(ratio) = &self.ratio else {
            return Verdict::NotMeasured;
        };
        let (Some(low), Some(high)) = (ratio.low, ratio.high) else {
            return Verdict::NotSettled {
                more_rounds: rounds_to_an_interval(self.rounds),
            };
        };
        let above = 1.0 + margin.max(0.0);
        let below = above.recip();
        if below <= low && high <= above {
            Verdict::Tie
        } else if low > above || high < below {
            let row = self.better(low > 1.0);
            Verdict::Better { row }
        } else if low > 1.0 || high < 1.0 {
            let row = self.better(low > 1.0);
            Verdict::SlightlyBetter { row }
        } else {
            Verdict::NotSettled {
                more_rounds: more_rounds(ratio.ratio, low, high, above, self.rounds),
            }
        }
    }

    /// The better row when the ratio lies above 1, or below.
    fn better(&self, ratio_above_one: bool) -> String {
        let more_is_better = self.metric == Metric::OpsPerS;
        let better = if ratio_above_one == more_is_better {
            self.row
        } else {
            self.against
        };
        better.to_owned()
    }
}

/// Rounds that are missing for an interval; `None` when there are enough.
pub(crate) fn rounds_to_an_interval(rounds: u32) -> Option<u32> {
    u32::try_from(INTERVAL_NEEDS).ok()?.checked_sub(rounds)
}

/// Rounds that would settle it if ratio and spread stayed as they are: until the interval, on the log
/// scale, no longer holds 1 or lies within the margin, whichever is easier.
fn more_rounds(ratio: f64, low: f64, high: f64, above: f64, rounds: u32) -> Option<u32> {
    let estimate = [low.ln(), ratio.ln(), high.ln()];
    let margin = above.ln();
    let (less, more) = ((f64::NEG_INFINITY, 0.0), (0.0, f64::INFINITY));
    rounds_until(
        [less, more, (-margin, margin)]
            .map(|place| too_wide(estimate, place))
            .into_iter()
            .fold(f64::INFINITY, f64::min),
        rounds,
    )
}

/// By which factor an interval, given as its low end, its centre and its high end, is too wide to lie
/// wholly between two bounds: the arm of the two that reaches out the farther counts, since intervals
/// are seldom symmetrical. Infinite when the centre lies outside.
pub(crate) fn too_wide([low, centre, high]: [f64; 3], (from, to): (f64, f64)) -> f64 {
    if from < centre && centre < to {
        ((centre - low) / (centre - from)).max((high - centre) / (to - centre))
    } else {
        f64::INFINITY
    }
}

/// Further rounds until an interval of `rounds` rounds is narrower by this factor: it shrinks with √n,
/// so n × factor² rounds are needed, n of which are there. `None` when no number would be honest.
pub(crate) fn rounds_until(too_wide: f64, rounds: u32) -> Option<u32> {
    let rounds = f64::from(rounds);
    let needed = rounds * too_wide.powi(2);
    // Less what a whole number is off by rounding.
    let more = (needed * (1.0 - 1e-9) - rounds).ceil().max(1.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to 200"
    )]
    (more <= MOST_MORE_ROUNDS).then_some(more as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(metric: Metric, low: f64, high: f64) -> Finding<'static> {
        Finding {
            metric,
            row: "grpc",
            against: "rest",
            rounds: 8,
            ratio: Some(RatioEstimate {
                ratio: (low * high).sqrt(),
                low: Some(low),
                high: Some(high),
                min: low,
                max: high,
            }),
        }
    }

    fn cpu(low: f64, high: f64) -> Verdict {
        finding(Metric::ServerCpuUsPerOp, low, high).verdict(0.05)
    }

    fn better(row: &str) -> Verdict {
        Verdict::Better {
            row: row.to_owned(),
        }
    }

    fn slightly(row: &str) -> Verdict {
        Verdict::SlightlyBetter {
            row: row.to_owned(),
        }
    }

    #[test]
    fn within_the_margin_is_a_tie_even_on_one_side_of_one() {
        assert_eq!(cpu(0.97, 1.04), Verdict::Tie);
        assert_eq!(cpu(1.01, 1.04), Verdict::Tie);
        assert_eq!(cpu(1.0 / 1.05, 1.05), Verdict::Tie);
    }

    #[test]
    fn wholly_outside_the_margin_is_better() {
        assert_eq!(cpu(1.06, 1.30), better("rest"));
        assert_eq!(cpu(0.70, 0.95), better("grpc"));
    }

    #[test]
    fn on_one_side_of_one_but_touching_the_margin_is_slightly_better() {
        assert_eq!(cpu(1.01, 1.30), slightly("rest"));
        assert_eq!(cpu(1.05, 1.30), slightly("rest"));
        assert_eq!(cpu(0.70, 0.96), slightly("grpc"));
    }

    #[test]
    fn either_direction_is_not_settled() {
        assert!(matches!(cpu(0.90, 1.08), Verdict::NotSettled { .. }));
        assert!(matches!(cpu(0.99, 1.20), Verdict::NotSettled { .. }));
        assert!(matches!(cpu(1.0, 1.20), Verdict::NotSettled { .. }));
    }

    #[test]
    fn less_is_better_except_for_throughput() {
        for metric in [
            Metric::ServerCpuUsPerOp,
            Metric::ClientCpuUsPerOp,
            Metric::P50Ms,
            Metric::P95Ms,
        ] {
            assert_eq!(finding(metric, 1.2, 1.3).verdict(0.05), better("rest"));
            assert_eq!(finding(metric, 0.7, 0.8).verdict(0.05), better("grpc"));
        }
        let throughput = |low, high| finding(Metric::OpsPerS, low, high).verdict(0.05);
        assert_eq!(throughput(1.2, 1.3), better("grpc"));
        assert_eq!(throughput(0.7, 0.8), better("rest"));
        assert_eq!(throughput(1.01, 1.3), slightly("grpc"));
    }

    #[test]
    fn the_margin_is_the_users() {
        let verdict = |margin| finding(Metric::P50Ms, 1.06, 1.09).verdict(margin);
        assert_eq!(verdict(0.10), Verdict::Tie);
        assert_eq!(verdict(0.07), slightly("rest"));
        assert_eq!(verdict(0.0), better("rest"));
    }

    #[test]
    fn below_six_rounds_the_missing_ones_are_named() {
        for rounds in 1..6 {
            let mut finding = finding(Metric::P50Ms, 1.2, 1.3);
            finding.rounds = rounds;
            finding.ratio = finding.ratio.map(|ratio| RatioEstimate {
                low: None,
                high: None,
                ..ratio
            });
            assert_eq!(
                finding.verdict(0.05),
                Verdict::NotSettled {
                    more_rounds: Some(6 - rounds)
                }
            );
        }
    }

    #[test]
    fn more_rounds_follow_from_the_spread() {
        // Half-width 0.2 around 0.1 on the log scale: four times the 8 rounds would just leave out 1.
        let low = (-0.1_f64).exp();
        let high = 0.3_f64.exp();
        assert_eq!(
            more_rounds(0.1_f64.exp(), low, high, 1.05, 8),
            Some(24),
            "8 × (0.2 / 0.1)² − 8"
        );
        // Around 1 a tie is easier: half-width 0.06 must shrink to ln 1.05 = 0.04879.
        let (low, high) = ((-0.06_f64).exp(), 0.06_f64.exp());
        assert_eq!(more_rounds(1.0, low, high, 1.05, 8), Some(5));
    }

    #[test]
    fn the_arm_that_reaches_over_the_bound_counts() {
        // 0.3 down and 0.1 up from 0.2: the arm down must shrink to 0.2, though half the width is 0.2.
        let (low, high) = ((-0.1_f64).exp(), 0.3_f64.exp());
        assert_eq!(more_rounds(0.2_f64.exp(), low, high, 1.05, 8), Some(10));
        // The same to the other side.
        let (low, high) = ((-0.3_f64).exp(), 0.1_f64.exp());
        assert_eq!(more_rounds((-0.2_f64).exp(), low, high, 1.05, 8), Some(10));
    }

    #[test]
    fn no_number_of_rounds_is_named_that_nobody_would_wait_for() {
        assert_eq!(more_rounds(1.0, 0.5, 2.0, 1.05, 8), None);
        assert_eq!(more_rounds(1.0, 0.9, 1.1, 1.0, 8), None);
    }

    #[test]
    fn nothing_compared_is_not_measured() {
        let mut finding = finding(Metric::P50Ms, 1.2, 1.3);
        finding.ratio = None;
        assert_eq!(finding.verdict(0.05), Verdict::NotMeasured);
    }
}
