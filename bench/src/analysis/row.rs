//! One row of the table.

use super::rounds::{Rounds, count};
use crate::{
    gate::{CoreShares, FULL_SHARE, takes_round_out},
    record::{
        Estimate, GateCount, LimitedBy, LoadModel, Row, RowSummary, Run, Samples, Session,
        SpreadSummary,
    },
    stats::{Spread, median, median_interval, quantile},
};

/// The row's figures over the runs that count.
pub(super) fn summary(row: &Row, session: &Session, rounds: &Rounds) -> RowSummary {
    let runs: Vec<&Run> = rounds.runs_of(&row.id).collect();
    let estimate = |figure: fn(&Run) -> Option<f64>| estimate(&figures(&runs, figure));
    let middle = |figure: fn(&Run) -> Option<f64>| median(&figures(&runs, figure));
    RowSummary {
        row: row.id.clone(),
        runs: count(runs.len()),
        ops_per_s: estimate(|run| Some(run.load.ops_per_s())),
        p50_ms: estimate(|run| Some(run.load.latency.p50_ms)),
        p95_ms: estimate(|run| Some(run.load.latency.p95_ms)),
        first_event_p50_ms: estimate(|run| run.load.first_event_p50_ms),
        full: spread(&runs, Samples::full),
        ttfb: spread(&runs, Samples::ttfb),
        dropped_mean_ms: estimate(|run| run.load.samples.as_ref()?.dropped_mean_ms()),
        sql_statements_per_op: estimate(Run::sql_statements_per_op),
        sql_ms_per_op: estimate(Run::sql_ms_per_op),
        requests_per_op: middle(Run::requests_per_op),
        sent_bytes_per_op: estimate(Run::sent_bytes_per_op),
        received_bytes_per_op: estimate(Run::received_bytes_per_op),
        sent_body_bytes_per_op: middle(Run::sent_body_bytes_per_op),
        received_body_bytes_per_op: middle(Run::received_body_bytes_per_op),
        server_cpu_us_per_op: estimate(Run::server_cpu_us_per_op),
        client_cpu_us_per_op: estimate(Run::client_cpu_us_per_op),
        other_cpu_us_per_op: estimate(Run::other_cpu_us_per_op),
        server_cores_busy: middle(Run::server_cores_busy),
        client_cores_busy: middle(Run::client_cores_busy),
        server_peak_rss_bytes: runs
            .iter()
            .filter_map(|run| run.usage.server.peak_rss_bytes)
            .max(),
        limited_by: limited_by(&runs, session, row),
        gates: gates(row, session, &runs),
    }
}

/// What `of` makes of the samples of each run; `None` where they are no sequence.
fn spread(runs: &[&Run], of: fn(&Samples) -> Option<Spread>) -> Option<SpreadSummary> {
    let samples = runs.iter().filter_map(|run| run.load.samples.as_ref());
    let spreads: Vec<Spread> = samples.filter_map(of).collect();
    let over_runs = |value: fn(&Spread) -> f64| {
        let values: Vec<f64> = spreads.iter().map(value).collect();
        estimate(&values)
    };
    Some(SpreadSummary {
        mean_ms: over_runs(|spread| spread.mean)?,
        sd_ms: over_runs(|spread| spread.sd)?,
        mad_ms: over_runs(|spread| spread.mad)?,
        median_ms: over_runs(|spread| spread.median)?,
        half_interval_999_ms: over_runs(|spread| spread.half_interval_999)?,
    })
}

fn figures(runs: &[&Run], figure: fn(&Run) -> Option<f64>) -> Vec<f64> {
    runs.iter().filter_map(|run| figure(run)).collect()
}

fn estimate(values: &[f64]) -> Option<Estimate> {
    let interval = median_interval(values);
    Some(Estimate {
        median: median(values)?,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        min: quantile(values, 0.0)?,
        max: quantile(values, 1.0)?,
    })
}

/// Judged by the medians of the shares of cores used. Two sides that share the machine's cores can
/// both be short of CPU without either filling its own threads.
fn limited_by(runs: &[&Run], session: &Session, row: &Row) -> LimitedBy {
    match row.condition.model(session.settings.model) {
        LoadModel::Closed => {}
        LoadModel::Open { .. } => return LimitedBy::OfferedRate,
        LoadModel::Sequential(_) => return LimitedBy::OneClient,
    }
    let shares: Vec<CoreShares> = runs
        .iter()
        .filter_map(|run| CoreShares::of(run, &session.settings, &session.machine))
        .collect();
    let middle =
        |share: fn(&CoreShares) -> f64| median(&shares.iter().map(share).collect::<Vec<f64>>());
    let (Some(server), Some(client), Some(machine)) = (
        middle(|shares| shares.server),
        middle(|shares| shares.client),
        middle(|shares| shares.machine),
    ) else {
        return LimitedBy::Unknown;
    };
    let shares = CoreShares {
        server,
        client,
        machine,
    };
    if shares.client_bound() {
        LimitedBy::Client
    } else if client > FULL_SHARE {
        LimitedBy::Both
    } else if server > FULL_SHARE {
        LimitedBy::Server
    } else if machine > FULL_SHARE {
        LimitedBy::Both
    } else {
        LimitedBy::Neither
    }
}

/// The gates of the runs that count, and of the runs that took their round out those that did it.
fn gates(row: &Row, session: &Session, counting: &[&Run]) -> Vec<GateCount> {
    let of_spoilt_rounds = session
        .runs
        .iter()
        .filter(|run| run.row == row.id)
        .flat_map(|run| run.gates.iter().filter(|gate| takes_round_out(gate)));
    let of_counting = counting.iter().flat_map(|run| &run.gates);
    let mut counts: Vec<GateCount> = Vec::new();
    for gate in of_spoilt_rounds.chain(of_counting) {
        match counts
            .iter_mut()
            .find(|known| known.worst.kind() == gate.kind())
        {
            None => counts.push(GateCount {
                worst: gate.clone(),
                runs: 1,
            }),
            Some(known) => {
                known.runs += 1;
                if gate.severity() > known.worst.severity() {
                    known.worst = gate.clone();
                }
            }
        }
    }
    counts.sort_by_key(|known| known.worst.kind());
    counts
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
    #![expect(
        clippy::float_cmp,
        reason = "the median of equal figures is that figure"
    )]

    use super::*;
    use crate::record::{Gate, fixture};

    fn first_row(session: &Session) -> RowSummary {
        summary(&session.rows[0], session, &Rounds::of(session))
    }

    #[test]
    fn figures_are_medians_with_their_interval_and_range() {
        let session = fixture::session(&[(
            "a-rest",
            &[
                104.0, 101.0, 107.0, 103.0, 102.0, 106.0, 105.0, 108.0, 100.0,
            ],
        )]);
        let row = first_row(&session);
        assert_eq!(row.runs, 9);
        // Nine values: ranks 2 and 8.
        let expected = Estimate {
            median: 104.0,
            low: Some(101.0),
            high: Some(107.0),
            min: 100.0,
            max: 108.0,
        };
        assert_eq!(row.server_cpu_us_per_op, Some(expected));
        assert_eq!(row.client_cpu_us_per_op.unwrap().median, 50.0);
        assert_eq!(row.other_cpu_us_per_op.unwrap().median, 0.0);
        assert_eq!(row.ops_per_s.unwrap().median, 10_000.0);
        assert_eq!(row.p50_ms.unwrap().median, 1.9);
        assert_eq!(row.p95_ms.unwrap().median, 3.5);
        assert_eq!(row.requests_per_op, Some(1.0));
        assert_eq!(row.sent_bytes_per_op.unwrap().median, 300.0);
        assert_eq!(row.received_bytes_per_op.unwrap().median, 200.0);
        assert_eq!(row.sent_body_bytes_per_op, Some(105.0));
        assert_eq!(row.received_body_bytes_per_op, Some(80.0));
        assert_eq!(row.server_cores_busy, Some(1.04));
        assert_eq!(row.client_cores_busy, Some(0.5));
        assert_eq!(row.server_peak_rss_bytes, Some(12_000_009));
    }

    #[test]
    fn a_sequence_has_centre_and_spread_over_its_runs() {
        let mut session = fixture::session(&[("a-rest", &[1.0; 3])]);
        assert_eq!(first_row(&session).full, None);
        for (run, offset) in session.runs.iter_mut().zip([0.0, 10.0, 20.0]) {
            run.load.samples = Some(Samples {
                dropped: 1,
                full_ms: vec![500.0, 1.0 + offset, 3.0 + offset],
                ttfb_ms: Vec::new(),
            });
        }
        let row = first_row(&session);
        let full = row.full.unwrap();
        assert_eq!((full.mean_ms.median, full.mean_ms.max), (12.0, 22.0));
        assert_eq!(full.mad_ms.median, 1.0);
        assert_eq!(row.ttfb, None, "the driver did not see it");
    }

    #[test]
    fn five_runs_have_a_range_but_no_interval() {
        let session = fixture::session(&[("a-rest", &[5.0, 1.0, 4.0, 2.0, 3.0])]);
        let expected = Estimate {
            median: 3.0,
            low: None,
            high: None,
            min: 1.0,
            max: 5.0,
        };
        assert_eq!(first_row(&session).server_cpu_us_per_op, Some(expected));
    }

    #[test]
    fn a_row_without_runs_has_no_figures() {
        let session = fixture::session(&[("a-rest", &[])]);
        let row = first_row(&session);
        assert_eq!(
            (row.runs, row.ops_per_s, row.requests_per_op),
            (0, None, None)
        );
        assert_eq!(row.limited_by, LimitedBy::Unknown);
        assert_eq!(row.server_peak_rss_bytes, None);
    }

    #[test]
    fn without_a_meter_the_other_figures_remain() {
        let mut session = fixture::session(&[("a-rest", &[1.0; 6])]);
        for run in &mut session.runs {
            run.usage.server.cpu_us = None;
        }
        let row = first_row(&session);
        assert_eq!(row.server_cpu_us_per_op, None);
        assert_eq!(row.other_cpu_us_per_op, None);
        assert_eq!(row.limited_by, LimitedBy::Unknown);
        assert!(row.ops_per_s.is_some() && row.client_cpu_us_per_op.is_some());
    }

    /// What limits a row that keeps so many cores busy; two threads a side.
    fn limit(server_cores: f64, client_cores: f64, logical_cores: u32) -> LimitedBy {
        let mut session = fixture::session(&[("a-rest", &[1.0; 3])]);
        session.machine.logical_cores = logical_cores;
        for run in &mut session.runs {
            run.usage.server.cpu_us = Some(server_cores * 1e6);
            run.usage.client.cpu_us = Some(client_cores * 1e6);
        }
        first_row(&session).limited_by
    }

    #[test]
    fn the_side_that_fills_its_cores_is_the_limit() {
        assert_eq!(limit(1.9, 1.0, 4), LimitedBy::Server);
        assert_eq!(limit(1.0, 1.9, 4), LimitedBy::Client);
        assert_eq!(limit(1.9, 1.9, 4), LimitedBy::Both);
        assert_eq!(limit(1.5, 1.9, 4), LimitedBy::Both);
        assert_eq!(limit(1.0, 1.0, 4), LimitedBy::Neither);
        assert_eq!(limit(1.1, 0.85, 2), LimitedBy::Both, "they share two cores");
        assert_eq!(limit(0.9, 0.7, 2), LimitedBy::Neither);
    }

    #[test]
    fn an_open_model_is_limited_by_its_rate() {
        let mut session = fixture::session(&[("a-rest", &[1.0; 3])]);
        session.settings.model = LoadModel::Open { rate_per_s: 100.0 };
        assert_eq!(first_row(&session).limited_by, LimitedBy::OfferedRate);
        let at_a_rate = fixture::session(&[("L2-a-rest@rate=100", &[1.0; 3])]);
        assert_eq!(first_row(&at_a_rate).limited_by, LimitedBy::OfferedRate);
    }

    #[test]
    fn gates_are_counted_with_the_worst_value() {
        let mut session = fixture::session(&[("a-rest", &[1.0; 5]), ("a-grpc", &[1.0; 5])]);
        let failed = |failed| Gate::FailedOperations {
            failed,
            of: 100,
            reason: "status 500".to_owned(),
        };
        let steal = |share| Gate::Steal { share };
        let law = |concurrency| Gate::LittlesLaw {
            concurrency,
            vus: 20,
        };
        let of_rest: [Vec<Gate>; 5] = [
            vec![steal(0.02), law(17.0)],
            vec![steal(0.05), law(24.0)],
            vec![steal(0.03)],
            vec![failed(1), steal(0.9)],
            vec![failed(7)],
        ];
        let runs = session.runs.iter_mut().filter(|run| run.row == "a-rest");
        for (run, gates) in runs.zip(of_rest) {
            run.gates = gates;
        }
        let count = |worst, runs| GateCount { worst, runs };
        assert_eq!(
            first_row(&session).gates,
            [
                count(failed(7), 2),
                count(law(24.0), 2),
                count(steal(0.05), 3)
            ],
            "a gate of a round that is out says nothing of the figures"
        );
        let other = summary(&session.rows[1], &session, &Rounds::of(&session));
        assert_eq!((other.runs, other.gates), (3, vec![]));
    }
}
