//! The wording of every verdict, gate, warning and state.

use bookstore_bench::{
    record::{
        Comparison, Gate, GateCount, LimitedBy, Metric, RatioEstimate, Session, SessionState,
        Verdict, Warning,
    },
    report::{view, words},
};

use crate::golden;

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

fn every_gate() -> Vec<Gate> {
    vec![
        Gate::FailedOperations {
            failed: 12,
            of: 31_004,
            reason: "status 500 instead of 201".to_owned(),
        },
        Gate::NoOperations,
        Gate::DroppedIterations { dropped: 1 },
        Gate::LateStarts { share: 0.031 },
        Gate::LittlesLaw {
            concurrency: 15.3,
            vus: 20,
        },
        Gate::ClientBound {
            client_share: 0.97,
            server_share: 0.52,
        },
        Gate::ForeignCpu { share: 0.081 },
        Gate::Steal { share: 0.02 },
        Gate::LateLink {
            late_p95_us: 1_350,
            delay_ms: 40.0,
        },
        Gate::ByteCount {
            counted: 1_234_567,
            kernel: 1_234_667,
        },
    ]
}

#[test]
fn gates_and_limits() {
    let gates = every_gate()
        .into_iter()
        .zip(1..)
        .map(|(worst, runs)| words::gate_count(&GateCount { worst, runs }, 9));
    let limits = [
        LimitedBy::Server,
        LimitedBy::Client,
        LimitedBy::Both,
        LimitedBy::Neither,
        LimitedBy::OfferedRate,
        LimitedBy::OneClient,
        LimitedBy::Unknown,
    ];
    let limits = limits.map(|limit| {
        format!(
            "{}: {}",
            words::limited_by_short(limit),
            words::limited_by(limit)
        )
    });
    insta::assert_snapshot!("words-gates", lines(gates.chain(limits)));
}

#[test]
fn verdicts_by_every_metric() {
    let mut session = golden::read("session");
    let mut shown = Vec::new();
    let metrics = [
        Metric::ServerCpuUsPerOp,
        Metric::ClientCpuUsPerOp,
        Metric::OpsPerS,
        Metric::P50Ms,
        Metric::P95Ms,
    ];
    for metric in metrics {
        for (verdict, ratio) in every_verdict(metric) {
            let comparison = comparison_mut(&mut session, metric);
            comparison.verdict = verdict;
            comparison.ratio = Some(ratio);
            let [row, against] =
                ["b-rest-bff", "b-rest"].map(|id| view::row(&session, id).unwrap());
            for (row, against) in [(row, against), (against, row)] {
                let pair = view::pair(&session, metric, row, against).unwrap();
                shown.push(words::comparison(&session, &pair));
                shown.push(format!("  {}", words::brief(&pair)));
            }
        }
    }
    insta::assert_snapshot!("words-verdicts", lines(shown));
}

/// Every verdict with a ratio `b-rest-bff / b-rest` that leads to it.
fn every_verdict(metric: Metric) -> Vec<(Verdict, RatioEstimate)> {
    let better = |row: &str| Verdict::Better {
        row: row.to_owned(),
    };
    let slightly = |row: &str| Verdict::SlightlyBetter {
        row: row.to_owned(),
    };
    let not_settled = |more_rounds| Verdict::NotSettled { more_rounds };
    let [less, more] = match metric {
        Metric::OpsPerS => ["b-rest", "b-rest-bff"],
        _ => ["b-rest-bff", "b-rest"],
    };
    vec![
        (better(less), ratio(0.3, 0.4, 0.5)),
        (better(more), ratio(1.9, 2.4, 2.5)),
        (slightly(less), ratio(0.93, 0.96, 0.98)),
        (Verdict::Tie, ratio(0.97, 0.99, 1.02)),
        (not_settled(Some(5)), ratio(0.9, 1.02, 1.1)),
        (not_settled(Some(1)), ratio(0.94, 1.0, 1.06)),
        (
            not_settled(None),
            RatioEstimate {
                low: None,
                high: None,
                ..ratio(0.9, 1.0, 1.2)
            },
        ),
        (Verdict::NotMeasured, ratio(1.0, 1.0, 1.0)),
    ]
}

fn ratio(low: f64, ratio: f64, high: f64) -> RatioEstimate {
    RatioEstimate {
        ratio,
        low: Some(low),
        high: Some(high),
        min: low,
        max: high,
    }
}

fn comparison_mut(session: &mut Session, metric: Metric) -> &mut Comparison {
    let comparisons = session.analysis.comparisons.iter_mut();
    let mut wanted = comparisons.filter(|comparison| {
        comparison.metric == metric
            && comparison.row == "b-rest-bff"
            && comparison.against == "b-rest"
    });
    wanted.next().unwrap()
}

#[test]
fn a_difference_below_the_noise_floor_is_distrusted() {
    let mut session = golden::read("session");
    session.analysis.noise_floor.as_mut().unwrap().share = 0.04;
    let comparison = comparison_mut(&mut session, Metric::ServerCpuUsPerOp);
    let ratio = comparison.ratio.as_mut().unwrap();
    (ratio.ratio, ratio.low, ratio.high) = (0.97, Some(0.95), Some(0.99));
    comparison.verdict = Verdict::SlightlyBetter {
        row: "b-rest-bff".to_owned(),
    };
    let [row, against] = ["b-rest-bff", "b-rest"].map(|id| view::row(&session, id).unwrap());
    let pair = view::pair(&session, Metric::ServerCpuUsPerOp, row, against).unwrap();
    insta::assert_snapshot!(
        words::comparison(&session, &pair),
        @"REST BFF is slightly cheaper: 1.03 times less server CPU than REST (1.01 to 1.05); distrust it, today's noise floor is 4 %"
    );
}

#[test]
fn warnings() {
    let session = golden::read("troubled");
    let row = || "L50-a-grpc".to_owned();
    let warnings = [
        Warning::DebugBuild,
        Warning::UnequalAnswers { differences: 2 },
        Warning::TooFewRounds {
            rounds: 0,
            needed: 6,
        },
        Warning::TooFewRounds {
            rounds: 1,
            needed: 6,
        },
        Warning::RoundsOut { out: 1, of: 8 },
        Warning::FalseDifference { ratio: 1.09 },
        Warning::Drift {
            row: row(),
            tau: -0.71,
        },
        Warning::OutlierRun {
            row: row(),
            round: 4,
            z: 5.1,
        },
        Warning::GatedRuns {
            row: row(),
            gate: GateCount {
                worst: Gate::ForeignCpu { share: 0.08 },
                runs: 2,
            },
        },
        Warning::NoCpuMeter {
            reason: "macOS has no process CPU clock for other processes".to_owned(),
        },
        Warning::Surcharged {
            rows: vec!["L2-a-graphql".to_owned(), "gone".to_owned()],
        },
    ];
    insta::assert_snapshot!(
        "words-warnings",
        lines(
            warnings
                .iter()
                .map(|warning| words::warning(&session, warning))
        )
    );
}

#[test]
fn states_and_answers() {
    let mut shown = Vec::new();
    for (name, _) in golden::SESSIONS {
        let session = golden::read(name);
        shown.push(format!("{name}: {}", words::noise_floor(&session)));
        for group in view::groups(&session) {
            let answer = words::answer(&session, &group).unwrap_or_default();
            shown.push(format!("{name} {}: {answer}", group.label));
        }
    }
    let mut session = golden::read("partial");
    let states = [
        SessionState::Running,
        SessionState::Interrupted,
        SessionState::Failed {
            error: "the server died in round 4".to_owned(),
        },
    ];
    for state in states {
        session.state = state;
        shown.push(words::state(&session).unwrap());
    }
    session.state = SessionState::Complete;
    assert_eq!(words::state(&session), None);
    insta::assert_snapshot!("words-states-and-answers", lines(shown));
}
