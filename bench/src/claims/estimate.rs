//! A quantity over the rounds of a session.

use std::collections::{BTreeMap, BTreeSet};

use super::quantity::{Quantity, RowFigure};
use crate::{
    analysis::{Rounds, count},
    record::{ClaimEstimate, FigureKind, Run, Session},
    stats::{hodges_lehmann, quantile, signed_rank_interval},
};

/// The estimate of `quantity` from the rounds in which all its rows count; `None` when the session
/// lacks a row, or no round gives a value.
pub(crate) fn estimate(session: &Session, quantity: &Quantity) -> Option<ClaimEstimate> {
    let values = by_round(session, &quantity.figures(), |figure| {
        quantity.value(&figure)
    });
    summary(&values, quantity.kind())
}

/// What the values of several rounds say together; those of a ratio on the log scale.
pub(crate) fn summary(values: &[f64], kind: FigureKind) -> Option<ClaimEstimate> {
    let logarithmic = kind == FigureKind::Ratio;
    let to_scale = |value: f64| if logarithmic { value.ln() } else { value };
    let from_scale = |value: f64| if logarithmic { value.exp() } else { value };
    let values: Vec<f64> = values.iter().copied().map(to_scale).collect();
    let interval = signed_rank_interval(&values);
    Some(ClaimEstimate {
        value: from_scale(hodges_lehmann(&values)?),
        low: interval.map(|interval| from_scale(interval.low)),
        high: interval.map(|interval| from_scale(interval.high)),
        min: from_scale(quantile(&values, 0.0)?),
        max: from_scale(quantile(&values, 1.0)?),
        rounds: count(values.len()),
    })
}

/// What `value` makes of the figures of each round, where it makes something.
pub(crate) fn by_round<T>(
    session: &Session,
    leaves: &[&RowFigure],
    value: impl Fn(&dyn Fn(&RowFigure) -> Option<f64>) -> Option<T>,
) -> Vec<T> {
    let rounds = Rounds::of(session);
    let runs: BTreeMap<&str, BTreeMap<u32, &Run>> = leaves
        .iter()
        .map(|leaf| {
            let of_row = rounds.runs_of(&leaf.row);
            (
                leaf.row.as_str(),
                of_row.map(|run| (run.round, run)).collect(),
            )
        })
        .collect();
    let numbers: BTreeSet<u32> = runs.values().flat_map(BTreeMap::keys).copied().collect();
    numbers
        .into_iter()
        .filter_map(|round| {
            value(&|RowFigure { row, figure }| figure.of(runs.get(row.as_str())?.get(&round)?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::record::{Figure, Gate, fixture};

    const REST: [f64; 7] = [100.0, 140.0, 90.0, 200.0, 110.0, 130.0, 120.0];

    fn ratio() -> Quantity {
        Quantity::ratio(Figure::ServerCpuUsPerOp, "a-grpc", "a-rest")
    }

    #[test]
    fn a_ratio_is_that_of_the_sessions_own_analysis() {
        let grpc = [160.0, 205.0, 138.0, 290.0, 170.0, 190.0, 181.0];
        let session = fixture::session(&[("a-rest", &REST), ("a-grpc", &grpc)]);
        let of_session = crate::analysis::analyse(&session).comparisons[0]
            .ratio
            .unwrap();
        let ours = estimate(&session, &ratio()).unwrap();
        for (ours, of_session) in [
            (ours.value, of_session.ratio),
            (ours.low.unwrap(), of_session.low.unwrap()),
            (ours.high.unwrap(), of_session.high.unwrap()),
            (ours.min, of_session.min),
            (ours.max, of_session.max),
        ] {
            assert!((ours - of_session).abs() < 1e-12);
        }
        assert_eq!(ours.rounds, 7);
    }

    #[test]
    fn a_difference_is_taken_round_by_round() {
        let grpc = REST.map(|cost| cost + 16.0);
        let session = fixture::session(&[("a-rest", &REST), ("a-grpc", &grpc)]);
        let text =
            r#"{"difference": ["a-grpc server_cpu_us_per_op", "a-rest server_cpu_us_per_op"]}"#;
        let ours = estimate(&session, &serde_json::from_str(text).unwrap()).unwrap();
        assert!((ours.value - 16.0).abs() < 1e-9);
        assert!((ours.low.unwrap() - 16.0).abs() < 1e-9 && (ours.max - 16.0).abs() < 1e-9);
    }

    #[test]
    fn a_round_that_is_out_or_lacks_a_row_does_not_count() {
        let mut session = fixture::session(&[("a-rest", &REST), ("a-grpc", &REST[..6])]);
        session.runs[0].gates.push(Gate::NoOperations);
        let ours = estimate(&session, &ratio()).unwrap();
        assert_eq!((ours.rounds, ours.low), (5, None));
        assert_eq!(
            estimate(&fixture::session(&[("a-rest", &REST)]), &ratio()),
            None
        );
    }
}
