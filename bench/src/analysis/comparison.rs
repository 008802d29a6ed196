//! Rows against each other, paired by round.

use super::{
    rounds::{Rounds, count},
    verdict::Finding,
};
use crate::{
    record::{Comparison, Metric, RatioEstimate, Row, Run, Session},
    stats::{hodges_lehmann, quantile, signed_rank_interval},
};

const METRICS: [Metric; 5] = [
    Metric::ServerCpuUsPerOp,
    Metric::ClientCpuUsPerOp,
    Metric::OpsPerS,
    Metric::P50Ms,
    Metric::P95Ms,
];

/// Group by group in table order, metric by metric: first every row against the group's reference,
/// then the other pairs (the later row against the earlier), then repetitions against their rows.
pub(super) fn comparisons(session: &Session, rounds: &Rounds) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for group in groups(session) {
        for metric in METRICS {
            for (row, against) in pairs(&group) {
                comparisons.push(compare(metric, row, against, session, rounds));
            }
        }
    }
    comparisons
}

fn groups(session: &Session) -> Vec<Vec<&Row>> {
    let mut groups: Vec<Vec<&Row>> = Vec::new();
    for row in &session.rows {
        match groups.iter_mut().find(|group| group[0].group == row.group) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

fn pairs<'a>(group: &[&'a Row]) -> Vec<(&'a Row, &'a Row)> {
    let (repetitions, mut rows): (Vec<&Row>, Vec<&Row>) =
        group.iter().partition(|row| row.repeats.is_some());
    // A stable sort: the reference, or else the first row, leads and the others keep their order.
    rows.sort_by_key(|row| !row.reference);
    let mut pairs = Vec::new();
    for (index, against) in rows.iter().enumerate() {
        pairs.extend(rows[index + 1..].iter().map(|row| (*row, *against)));
    }
    for repetition in repetitions {
        let repeated = rows
            .iter()
            .find(|row| repetition.repeats.as_ref() == Some(&row.id));
        pairs.extend(repeated.map(|repeated| (repetition, *repeated)));
    }
    pairs
}

fn compare(
    metric: Metric,
    row: &Row,
    against: &Row,
    session: &Session,
    rounds: &Rounds,
) -> Comparison {
    let log_ratios: Vec<f64> = rounds
        .pairs(&row.id, &against.id)
        .filter_map(|(row, against)| log_ratio(value(metric, row)?, value(metric, against)?))
        .collect();
    let finding = Finding {
        metric,
        row: &row.id,
        against: &against.id,
        rounds: count(log_ratios.len()),
        ratio: ratio(&log_ratios),
    };
    Comparison {
        group: row.group.clone(),
        metric,
        row: row.id.clone(),
        against: against.id.clone(),
        rounds: finding.rounds,
        ratio: finding.ratio,
        verdict: finding.verdict(session.settings.tie_margin),
    }
}

/// The metric of one run, where it can be read.
fn value(metric: Metric, run: &Run) -> Option<f64> {
    match metric {
        Metric::ServerCpuUsPerOp => run.server_cpu_us_per_op(),
        Metric::ClientCpuUsPerOp => run.client_cpu_us_per_op(),
        Metric::OpsPerS => Some(run.load.ops_per_s()),
        Metric::P50Ms => Some(run.load.latency.p50_ms),
        Metric::P95Ms => Some(run.load.latency.p95_ms),
    }
}

/// `None` where a ratio means nothing: a value is zero, negative or no finite number.
fn log_ratio(value: f64, against: f64) -> Option<f64> {
    let ratio = (value > 0.0 && against > 0.0).then(|| value.ln() - against.ln())?;
    ratio.is_finite().then_some(ratio)
}

fn ratio(log_ratios: &[f64]) -> Option<RatioEstimate> {
    let interval = signed_rank_interval(log_ratios);
    Some(RatioEstimate {
        ratio: hodges_lehmann(log_ratios)?.exp(),
        low: interval.map(|interval| interval.low.exp()),
        high: interval.map(|interval| interval.high.exp()),
        min: quantile(log_ratios, 0.0)?.exp(),
        max: quantile(log_ratios, 1.0)?.exp(),
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::record::{Gate, Verdict, fixture};

    fn compared(session: &Session) -> Vec<Comparison> {
        comparisons(session, &Rounds::of(session))
    }

    fn of_metric(session: &Session, metric: Metric) -> Vec<Comparison> {
        let mut comparisons = compared(session);
        comparisons.retain(|comparison| comparison.metric == metric);
        comparisons
    }

    fn server_cpu(session: &Session) -> Vec<Comparison> {
        of_metric(session, Metric::ServerCpuUsPerOp)
    }

    fn close(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn every_pair_of_a_group_is_compared_the_reference_first() {
        let mut session = fixture::session(&[
            ("a-graphql", &[1.0; 6]),
            ("b-rest", &[1.0; 6]),
            ("a-rest", &[1.0; 6]),
            ("a-grpc", &[1.0; 6]),
            ("a-rest#2", &[1.0; 6]),
            ("b-grpcweb", &[1.0; 6]),
        ]);
        session.rows[0].reference = false;
        session.rows[2].reference = true;
        let comparisons = server_cpu(&session);
        let pairs: Vec<_> = comparisons
            .iter()
            .map(|found| {
                (
                    found.group.as_str(),
                    found.row.as_str(),
                    found.against.as_str(),
                )
            })
            .collect();
        assert_eq!(
            pairs,
            [
                ("a", "a-graphql", "a-rest"),
                ("a", "a-grpc", "a-rest"),
                ("a", "a-grpc", "a-graphql"),
                ("a", "a-rest#2", "a-rest"),
                ("b", "b-grpcweb", "b-rest"),
            ]
        );
        assert_eq!(compared(&session).len(), 5 * METRICS.len());
    }

    #[test]
    fn the_ratio_is_row_against_reference_whatever_the_rounds_share() {
        // Each round has its own level; the ratio is 1.5 in all of them.
        let rest = [100.0, 140.0, 90.0, 200.0, 110.0, 130.0];
        let grpc = rest.map(|cost| cost * 1.5);
        let session = fixture::session(&[("a-rest", &rest), ("a-grpc", &grpc)]);
        let found = &server_cpu(&session)[0];
        let ratio = found.ratio.unwrap();
        assert!(close(ratio.ratio, 1.5) && close(ratio.min, 1.5) && close(ratio.max, 1.5));
        assert!(close(ratio.low.unwrap(), 1.5) && close(ratio.high.unwrap(), 1.5));
        assert_eq!(found.rounds, 6);
        assert_eq!(
            found.verdict,
            Verdict::Better {
                row: "a-rest".to_owned()
            }
        );
    }

    #[test]
    fn each_metric_is_read_from_its_own_field() {
        let mut session = fixture::session(&[("a-rest", &[100.0; 6]), ("a-grpc", &[110.0; 6])]);
        for run in session.runs.iter_mut().filter(|run| run.row == "a-grpc") {
            run.usage.client.cpu_us = run.usage.client.cpu_us.map(|cpu_us| cpu_us * 1.2);
            run.load.elapsed_s = 1.0 / 1.3;
            run.load.latency.p50_ms *= 1.4;
            run.load.latency.p95_ms *= 1.6;
        }
        let expected = [
            (Metric::ServerCpuUsPerOp, 1.1, "a-rest"),
            (Metric::ClientCpuUsPerOp, 1.2, "a-rest"),
            (Metric::OpsPerS, 1.3, "a-grpc"),
            (Metric::P50Ms, 1.4, "a-rest"),
            (Metric::P95Ms, 1.6, "a-rest"),
        ];
        for (metric, ratio, better) in expected {
            let found = &of_metric(&session, metric)[0];
            assert!(close(found.ratio.unwrap().ratio, ratio), "{found:?}");
            let row = better.to_owned();
            assert_eq!(found.verdict, Verdict::Better { row }, "{metric:?}");
        }
    }

    #[test]
    fn only_the_rounds_in_which_both_count_are_compared() {
        let mut session = fixture::session(&[
            ("a-rest", &[100.0; 9]),
            ("a-grpc", &[150.0, 150.0, 150.0, 900.0, 150.0, 150.0, 150.0]),
        ]);
        let mut runs = session.runs.iter_mut();
        let failed = runs
            .find(|run| run.row == "a-rest" && run.round == 4)
            .unwrap();
        failed.gates.push(Gate::NoOperations);
        let found = &server_cpu(&session)[0];
        assert_eq!(found.rounds, 6);
        assert!(
            close(found.ratio.unwrap().max, 1.5),
            "round 4 is out: {found:?}"
        );
    }

    #[test]
    fn five_rounds_show_the_range_and_ask_for_one_more() {
        let session = fixture::session(&[
            ("a-rest", &[100.0; 5]),
            ("a-grpc", &[150.0, 160.0, 155.0, 152.0, 158.0]),
        ]);
        let found = &server_cpu(&session)[0];
        let ratio = found.ratio.unwrap();
        assert_eq!((ratio.low, ratio.high), (None, None));
        assert!(close(ratio.min, 1.5) && close(ratio.max, 1.6));
        let more_rounds = Some(1);
        assert_eq!(found.verdict, Verdict::NotSettled { more_rounds });
    }

    #[test]
    fn what_cannot_be_read_is_not_measured() {
        let mut session = fixture::session(&[("a-rest", &[100.0; 6]), ("a-grpc", &[150.0; 6])]);
        for run in &mut session.runs {
            run.usage.server.cpu_us = None;
            run.load.latency.p50_ms = 0.0;
        }
        for metric in [Metric::ServerCpuUsPerOp, Metric::P50Ms] {
            let found = &of_metric(&session, metric)[0];
            assert_eq!((found.rounds, found.ratio), (0, None));
            assert_eq!(found.verdict, Verdict::NotMeasured);
        }
        assert_eq!(
            of_metric(&session, Metric::OpsPerS)[0].verdict,
            Verdict::Tie
        );
    }

    #[test]
    fn a_single_row_has_nothing_to_be_compared_with() {
        assert!(compared(&fixture::session(&[("a-rest", &[1.0; 6])])).is_empty());
        assert!(compared(&fixture::without_runs()).is_empty());
    }
}
