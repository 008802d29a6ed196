//! What a reader must know before trusting the figures.

use super::rounds::{Rounds, count};
use crate::{
    gate::takes_round_out,
    record::{Analysis, CpuMeter, NoiseFloor, Run, Session, Warning},
    stats::{INTERVAL_NEEDS, OUTLIER_Z, Trend, mann_kendall, modified_z},
};

/// Chance of a drift warning, in any row, in a session without drift.
const DRIFT_LEVEL: f64 = 0.05;

/// The warnings, most severe first: figures that mean something else than they say, then verdicts that
/// cannot be trusted, then what is missing, then what disturbed single rows.
pub(super) fn warnings(session: &Session, rounds: &Rounds, analysis: &Analysis) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = [
        debug_build(session),
        unequal_answers(session),
        surcharged(session),
        analysis.noise_floor.as_ref().and_then(false_difference),
        rounds_out(rounds),
        too_few_rounds(rounds),
        no_cpu_meter(session),
    ]
    .into_iter()
    .flatten()
    .collect();
    warnings.extend(gated_runs(analysis));
    warnings.extend(drift(session, rounds));
    warnings.extend(outlier_runs(session, rounds));
    warnings
}

fn debug_build(session: &Session) -> Option<Warning> {
    let server = &session.server;
    (server.debug_assertions || server.build_profile == "debug").then_some(Warning::DebugBuild)
}

fn unequal_answers(session: &Session) -> Option<Warning> {
    let differences = count(session.equal_answers.as_ref()?.differences.len());
    (differences > 0).then_some(Warning::UnequalAnswers { differences })
}

fn surcharged(session: &Session) -> Option<Warning> {
    let surcharges = &session.settings.surcharges;
    let rows: Vec<String> = session
        .rows
        .iter()
        .filter(|row| surcharges.get(&row.id).is_some_and(|&share| share > 0.0))
        .map(|row| row.id.clone())
        .collect();
    (!rows.is_empty()).then_some(Warning::Surcharged { rows })
}

fn false_difference(floor: &NoiseFloor) -> Option<Warning> {
    let ratio = floor.ratio.ratio;
    floor
        .false_difference
        .then_some(Warning::FalseDifference { ratio })
}

fn rounds_out(rounds: &Rounds) -> Option<Warning> {
    let out = count(rounds.out.len());
    let of = rounds.begun;
    (out > 0).then_some(Warning::RoundsOut { out, of })
}

fn too_few_rounds(rounds: &Rounds) -> Option<Warning> {
    let needed = count(INTERVAL_NEEDS);
    (rounds.valid < needed).then_some(Warning::TooFewRounds {
        rounds: rounds.valid,
        needed,
    })
}

fn no_cpu_meter(session: &Session) -> Option<Warning> {
    match &session.machine.cpu_meter {
        CpuMeter::ProcessCpuClock => None,
        CpuMeter::Unavailable { reason } => Some(Warning::NoCpuMeter {
            reason: reason.clone(),
        }),
    }
}

/// Failed operations are told with the rounds that they took out.
fn gated_runs(analysis: &Analysis) -> impl Iterator<Item = Warning> {
    analysis.rows.iter().flat_map(|row| {
        let annotating = row
            .gates
            .iter()
            .filter(|gate| !takes_round_out(&gate.worst));
        annotating.map(|gate| Warning::GatedRuns {
            row: row.row.clone(),
            gate: gate.clone(),
        })
    })
}

/// The level is shared among the rows (Bonferroni), or every third session of nine rows would warn of
/// a drift that is none.
fn drift(session: &Session, rounds: &Rounds) -> impl Iterator<Item = Warning> {
    let level = DRIFT_LEVEL / session.rows.len() as f64;
    session.rows.iter().filter_map(move |row| {
        let costs: Vec<f64> = server_costs(rounds, &row.id)
            .map(|(_, cost)| cost)
            .collect();
        let Trend { tau, p } = mann_kendall(&costs)?;
        (p <= level).then(|| Warning::Drift {
            row: row.id.clone(),
            tau,
        })
    })
}

/// Told from as many runs as an interval needs: of fewer, one is easily far from the others.
fn outlier_runs(session: &Session, rounds: &Rounds) -> Vec<Warning> {
    let mut warnings = Vec::new();
    for row in &session.rows {
        let (runs, costs): (Vec<&Run>, Vec<f64>) = server_costs(rounds, &row.id).unzip();
        if costs.len() < INTERVAL_NEEDS {
            continue;
        }
        let scores = modified_z(&costs).unwrap_or_default();
        let far = runs.iter().zip(scores).filter(|(_, z)| z.abs() > OUTLIER_Z);
        warnings.extend(far.map(|(run, z)| Warning::OutlierRun {
            row: row.id.clone(),
            round: run.round,
            z,
        }));
    }
    warnings
}

fn server_costs<'a>(rounds: &Rounds<'a>, row: &str) -> impl Iterator<Item = (&'a Run, f64)> {
    rounds
        .runs_of(row)
        .filter_map(|run| Some((run, run.server_cpu_us_per_op()?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        analysis::analyse,
        record::{EqualAnswers, Gate, GateCount, fixture},
    };

    const STEADY: [f64; 8] = [100.0, 101.0, 99.0, 100.5, 99.5, 100.2, 100.8, 99.2];

    fn of(session: &Session) -> Vec<Warning> {
        analyse(session).warnings
    }

    #[test]
    fn a_clean_session_has_no_warnings() {
        assert_eq!(
            of(&fixture::session(&[
                ("a-rest", &STEADY),
                ("a-grpc", &STEADY)
            ])),
            []
        );
    }

    #[test]
    fn a_session_without_runs_lacks_all_rounds() {
        let lacks_all = [Warning::TooFewRounds {
            rounds: 0,
            needed: 6,
        }];
        assert_eq!(of(&fixture::without_runs()), lacks_all);
        assert_eq!(of(&fixture::session(&[("a-rest", &[])])), lacks_all);
    }

    #[test]
    fn six_valid_rounds_are_enough() {
        let with = |rounds: usize| of(&fixture::session(&[("a-rest", &STEADY[..rounds])]));
        assert_eq!(with(6), []);
        assert_eq!(
            with(5),
            [Warning::TooFewRounds {
                rounds: 5,
                needed: 6
            }]
        );
    }

    #[test]
    fn a_debug_build_is_told_by_either_sign() {
        let mut session = fixture::session(&[("a-rest", &STEADY)]);
        session.server.debug_assertions = true;
        assert_eq!(of(&session), [Warning::DebugBuild]);
        session.server.debug_assertions = false;
        session.server.build_profile = "debug".to_owned();
        assert_eq!(of(&session), [Warning::DebugBuild]);
    }

    #[test]
    fn a_row_that_rises_steadily_drifts() {
        let rising = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0];
        let session = fixture::session(&[("a-rest", &STEADY), ("a-grpc", &rising)]);
        let row = "a-grpc".to_owned();
        assert_eq!(of(&session), [Warning::Drift { row, tau: 1.0 }]);
    }

    #[test]
    fn the_drift_level_is_shared_among_the_rows() {
        // Four inversions in eight values; 285 orders have no more: p = 2 × 285 / 8! = 0.0141.
        let rising = [101.0, 100.0, 103.0, 102.0, 105.0, 104.0, 107.0, 106.0];
        let beside = |others: &[&'static str]| {
            let mut rows: Vec<(&str, &[f64])> = vec![("a-rest", &rising)];
            rows.extend(others.iter().map(|id| (*id, &STEADY[..])));
            of(&fixture::session(&rows))
        };
        assert!(matches!(beside(&[]).as_slice(), [Warning::Drift { .. }]));
        assert_eq!(
            beside(&["b-rest", "c-rest", "d-rest", "e-rest", "f-rest"]),
            []
        );
    }

    #[test]
    fn a_run_far_from_the_others_is_named_with_its_round() {
        let mut costs = STEADY;
        costs[2] = 140.0;
        let warnings = of(&fixture::session(&[("a-rest", &costs)]));
        let [Warning::OutlierRun { row, round: 3, z }] = warnings.as_slice() else {
            panic!("{warnings:?}");
        };
        assert!(row == "a-rest" && *z > OUTLIER_Z);
    }

    #[test]
    fn everything_at_once_comes_in_order_of_severity() {
        let twice = STEADY.map(|cost| cost * 2.0);
        let mut session = fixture::session(&[("a-rest", &STEADY), ("a-rest#2", &twice)]);
        session.server.debug_assertions = true;
        session.equal_answers = Some(EqualAnswers {
            compared: 9,
            differences: vec!["gRPC has another total".to_owned()],
        });
        session.settings.surcharges = [("a-rest#2".to_owned(), 0.15), ("a-rest".to_owned(), 0.0)]
            .into_iter()
            .collect();
        session.machine.cpu_meter = CpuMeter::Unavailable {
            reason: "no such clock".to_owned(),
        };
        let steal = Gate::Steal { share: 0.02 };
        session.runs[0].gates.push(steal.clone());
        session.runs[2].gates.push(Gate::NoOperations);
        session.runs[4].gates.push(Gate::NoOperations);
        session.runs[6].gates.push(Gate::NoOperations);
        let warnings = of(&session);
        assert_eq!(
            warnings,
            [
                Warning::DebugBuild,
                Warning::UnequalAnswers { differences: 1 },
                Warning::Surcharged {
                    rows: vec!["a-rest#2".to_owned()]
                },
                Warning::RoundsOut { out: 3, of: 8 },
                Warning::TooFewRounds {
                    rounds: 5,
                    needed: 6
                },
                Warning::NoCpuMeter {
                    reason: "no such clock".to_owned()
                },
                Warning::GatedRuns {
                    row: "a-rest".to_owned(),
                    gate: GateCount {
                        worst: steal,
                        runs: 1
                    }
                },
            ]
        );
    }

    #[test]
    fn a_row_that_differs_from_itself_warns_against_every_verdict() {
        let twice = STEADY.map(|cost| cost * 2.0);
        let session = fixture::session(&[("a-rest", &STEADY), ("a-rest#2", &twice)]);
        let warnings = of(&session);
        let [Warning::FalseDifference { ratio }] = warnings.as_slice() else {
            panic!("{warnings:?}");
        };
        assert!((ratio - 2.0).abs() < 1e-9);
    }
}
