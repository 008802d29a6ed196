//! A plain analysis for invented sessions: enough to fill every field that renderers read. The
//! product's own analysis is tested elsewhere.

use std::collections::BTreeSet;

use bookstore_bench::record::{
    Comparison, Estimate, Gate, GateCount, LimitedBy, Metric, NoiseFloor, RatioEstimate, RoundOut,
    Row, RowSummary, Run, Session, Verdict, Warning,
};

const METRICS: [Metric; 5] = [
    Metric::ServerCpuUsPerOp,
    Metric::ClientCpuUsPerOp,
    Metric::OpsPerS,
    Metric::P50Ms,
    Metric::P95Ms,
];
/// Rounds from which there are intervals.
const ENOUGH: usize = 6;

/// Fills `session.analysis` from its runs.
pub fn analyse(session: &mut Session) {
    let out = rounds_out(session);
    let made: BTreeSet<u32> = session.runs.iter().map(|run| run.round).collect();
    let valid: Vec<u32> = made
        .iter()
        .copied()
        .filter(|round| !out.iter().any(|out| out.round == *round))
        .filter(|round| {
            let runs = session.runs.iter().filter(|run| run.round == *round);
            runs.count() == session.rows.len()
        })
        .collect();
    let mut analysis = bookstore_bench::record::Analysis {
        valid_rounds: u32::try_from(valid.len()).unwrap(),
        rows: session
            .rows
            .iter()
            .map(|row| summary(session, row, &valid))
            .collect(),
        comparisons: comparisons(session, &valid),
        ..Default::default()
    };
    analysis.noise_floor = noise_floor(session, &analysis.comparisons);
    analysis.warnings = warnings(session, &analysis.rows, valid.len(), out.len(), made.len());
    analysis.rounds_out = out;
    session.analysis = analysis;
}

fn rounds_out(session: &Session) -> Vec<RoundOut> {
    let failed = session
        .runs
        .iter()
        .filter(|run| run.load.failed_operations > 0);
    failed
        .map(|run| RoundOut {
            round: run.round,
            row: run.row.clone(),
            reason: format!("{} operations failed", run.load.failed_operations),
        })
        .collect()
}

fn runs<'a>(session: &'a Session, row: &str, rounds: &[u32]) -> Vec<&'a Run> {
    let mut runs: Vec<&Run> = session
        .runs
        .iter()
        .filter(|run| run.row == row && rounds.contains(&run.round))
        .collect();
    runs.sort_by_key(|run| run.round);
    runs
}

fn summary(session: &Session, row: &Row, valid: &[u32]) -> RowSummary {
    let counted = runs(session, &row.id, valid);
    let of = |value: &dyn Fn(&Run) -> Option<f64>| {
        estimate(counted.iter().filter_map(|run| value(run)).collect())
    };
    let per_op = |bytes: fn(&Run) -> Option<u64>| {
        let run = counted.first()?;
        Some(bytes(run)? as f64 / run.load.operations as f64)
    };
    let client_bound = session
        .runs
        .iter()
        .filter(|run| run.row == row.id)
        .any(|run| {
            run.gates
                .iter()
                .any(|gate| matches!(gate, Gate::ClientBound { .. }))
        });
    RowSummary {
        row: row.id.clone(),
        runs: u32::try_from(counted.len()).unwrap(),
        ops_per_s: of(&|run| value(run, Metric::OpsPerS)),
        p50_ms: of(&|run| value(run, Metric::P50Ms)),
        p95_ms: of(&|run| value(run, Metric::P95Ms)),
        requests_per_op: counted.first().and_then(|run| run.requests_per_op()),
        sent_bytes_per_op: of(&Run::sent_bytes_per_op),
        received_bytes_per_op: of(&Run::received_bytes_per_op),
        sent_body_bytes_per_op: per_op(|run| run.load.sent_body_bytes),
        received_body_bytes_per_op: per_op(|run| run.load.received_body_bytes),
        server_cpu_us_per_op: of(&Run::server_cpu_us_per_op),
        client_cpu_us_per_op: of(&Run::client_cpu_us_per_op),
        other_cpu_us_per_op: of(&Run::other_cpu_us_per_op),
        server_cores_busy: Some(1.6),
        client_cores_busy: Some(1.8),
        server_peak_rss_bytes: Some(19 << 20),
        limited_by: if client_bound {
            LimitedBy::Client
        } else {
            LimitedBy::Both
        },
        gates: gates(session, row),
    }
}

/// The gates of a row by kind, each with its last and here always worst value.
fn gates(session: &Session, row: &Row) -> Vec<GateCount> {
    let mut counts: Vec<GateCount> = Vec::new();
    for run in session.runs.iter().filter(|run| run.row == row.id) {
        for gate in &run.gates {
            let same = |count: &&mut GateCount| {
                std::mem::discriminant(&count.worst) == std::mem::discriminant(gate)
            };
            match counts.iter_mut().find(same) {
                Some(count) => {
                    *count = GateCount {
                        worst: gate.clone(),
                        runs: count.runs + 1,
                    }
                }
                None => counts.push(GateCount {
                    worst: gate.clone(),
                    runs: 1,
                }),
            }
        }
    }
    counts
}

fn value(run: &Run, metric: Metric) -> Option<f64> {
    match metric {
        Metric::ServerCpuUsPerOp => run.server_cpu_us_per_op(),
        Metric::ClientCpuUsPerOp => run.client_cpu_us_per_op(),
        Metric::OpsPerS => Some(run.load.ops_per_s()),
        Metric::P50Ms => Some(run.load.latency.p50_ms),
        Metric::P95Ms => Some(run.load.latency.p95_ms),
    }
}

fn estimate(mut values: Vec<f64>) -> Option<Estimate> {
    values.sort_by(f64::total_cmp);
    let (min, max) = (*values.first()?, *values.last()?);
    let enough = values.len() >= ENOUGH;
    Some(Estimate {
        median: median(&values),
        low: enough.then_some(min),
        high: enough.then_some(max),
        min,
        max,
    })
}

fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len().is_multiple_of(2) {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    } else {
        sorted[middle]
    }
}

fn comparisons(session: &Session, valid: &[u32]) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for metric in METRICS {
        for (index, against) in session.rows.iter().enumerate() {
            for row in &session.rows[index + 1..] {
                if row.group == against.group {
                    comparisons.extend(comparison(session, metric, row, against, valid));
                }
            }
        }
    }
    comparisons
}

fn comparison(
    session: &Session,
    metric: Metric,
    row: &Row,
    against: &Row,
    valid: &[u32],
) -> Option<Comparison> {
    let pairs = runs(session, &row.id, valid)
        .into_iter()
        .zip(runs(session, &against.id, valid));
    let ratios = pairs
        .filter_map(|(run, other)| Some(value(run, metric)? / value(other, metric)?))
        .collect();
    let Estimate {
        median,
        low,
        high,
        min,
        max,
    } = estimate(ratios)?;
    let ratio = RatioEstimate {
        ratio: median,
        low,
        high,
        min,
        max,
    };
    Some(Comparison {
        group: row.group.clone(),
        metric,
        row: row.id.clone(),
        against: against.id.clone(),
        rounds: u32::try_from(valid.len()).unwrap(),
        ratio,
        verdict: verdict(metric, row, against, &ratio),
    })
}

fn verdict(metric: Metric, row: &Row, against: &Row, ratio: &RatioEstimate) -> Verdict {
    let (Some(low), Some(high)) = (ratio.low, ratio.high) else {
        return Verdict::NotSettled { more_rounds: None };
    };
    let more_is_better = metric == Metric::OpsPerS;
    let better = if (ratio.ratio > 1.0) == more_is_better {
        row
    } else {
        against
    };
    let better = better.id.clone();
    if low > 1.0 / 1.05 && high < 1.05 {
        Verdict::Tie
    } else if high < 1.0 / 1.05 || low > 1.05 {
        Verdict::Better { row: better }
    } else if high < 1.0 || low > 1.0 {
        Verdict::SlightlyBetter { row: better }
    } else {
        Verdict::NotSettled {
            more_rounds: Some(5),
        }
    }
}

fn noise_floor(session: &Session, comparisons: &[Comparison]) -> Option<NoiseFloor> {
    let repetition = session.rows.iter().find(|row| row.repeats.is_some())?;
    let row = repetition.repeats.clone()?;
    let found = comparisons.iter().find(|comparison| {
        comparison.metric == Metric::ServerCpuUsPerOp
            && comparison.row == repetition.id
            && comparison.against == row
    })?;
    let ends = [found.ratio.min, found.ratio.max];
    Some(NoiseFloor {
        row,
        repetition: repetition.id.clone(),
        ratio: found.ratio,
        share: ends
            .map(|end| end.max(1.0 / end) - 1.0)
            .into_iter()
            .fold(0.0, f64::max),
        false_difference: matches!(found.verdict, Verdict::Better { .. }),
    })
}

fn warnings(
    session: &Session,
    rows: &[RowSummary],
    valid: usize,
    out: usize,
    made: usize,
) -> Vec<Warning> {
    let [valid, out, made] = [valid, out, made].map(|count| u32::try_from(count).unwrap());
    let mut warnings = Vec::new();
    let surcharged: Vec<String> = session.settings.surcharges.keys().cloned().collect();
    if !surcharged.is_empty() {
        warnings.push(Warning::Surcharged { rows: surcharged });
        warnings.push(Warning::Drift {
            row: "b-rest-bff".to_owned(),
            tau: 0.64,
        });
    }
    if valid < 6 {
        warnings.push(Warning::TooFewRounds {
            rounds: valid,
            needed: 6,
        });
    }
    if out > 0 {
        warnings.push(Warning::RoundsOut { out, of: made });
    }
    for row in rows {
        for gate in &row.gates {
            warnings.push(Warning::GatedRuns {
                row: row.row.clone(),
                gate: gate.clone(),
            });
        }
    }
    warnings
}
