//! Invented sessions: plausible figures from a fixed sequence of numbers, for the renderers only.
//! Nothing here was measured.

use std::collections::BTreeMap;

use bookstore_bench::analysis;
use bookstore_bench::record::{
    Analysis, Condition, Engine, EqualAnswers, Failure, Gate, LOAD_CONTRACT, Latency, LoadSummary,
    MachineUsage, ProcessUsage, RESULTS_SCHEMA, Row, Run, Session, SessionState, Usage,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    cells::{Cell, DEFAULT_CELLS},
    setting::{CORES, WINDOW_S, machine, server_facts, settings},
};

/// A complete quick session: the default rows and one repetition, eight rounds.
pub fn complete() -> Session {
    session(&DEFAULT_CELLS, Some(0), 8, 0.02)
}

/// Interrupted in the fourth round: three rounds count.
pub fn partial() -> Session {
    let mut session = session(&DEFAULT_CELLS, Some(0), 8, 0.02);
    session.runs.truncate(37);
    session.state = SessionState::Interrupted;
    session.updated_at = session.runs[36].started_at + SignedDuration::from_secs(1);
    analyse(&mut session);
    session
}

/// A noisy session with failures, a busy machine, a client-bound row and drift.
pub fn troubled() -> Session {
    let mut session = session(&DEFAULT_CELLS, Some(0), 8, 0.06);
    session.machine.advice =
        vec!["The load average was 1.8 before the session: close other programs.".to_owned()];
    session.machine.governor = Some("powersave".to_owned());
    session.settings.surcharges = BTreeMap::from([("L2-a-graphql".to_owned(), 0.15)]);
    for run in &mut session.runs {
        spoil(run);
    }
    analyse(&mut session);
    session
}

/// An explicit A/A session: each row is measured twice and nothing else.
pub fn repeats_only() -> Session {
    session(&DEFAULT_CELLS[..1], Some(0), 8, 0.02)
}

/// Plants the troubles of [`troubled`] in one run.
fn spoil(run: &mut Run) {
    match (run.row.as_str(), run.round) {
        ("L50-a-grpc", 3) => {
            run.load.failed_operations = 12;
            run.load.failures = vec![Failure {
                reason: "status UNAVAILABLE instead of OK".to_owned(),
                count: 12,
            }];
            run.gates.push(Gate::FailedOperations {
                failed: 12,
                of: run.load.operations + 12,
                reason: "status UNAVAILABLE instead of OK".to_owned(),
            });
        }
        ("L2-a-grpc", _) => run.gates.push(Gate::ClientBound {
            client_share: 0.95 + 0.004 * f64::from(run.round),
            server_share: 0.61,
        }),
        ("b-rest", 5 | 6) => run.gates.push(Gate::ForeignCpu {
            share: 0.05 + 0.01 * f64::from(run.round),
        }),
        ("b-graphql", 5) => run.gates.push(Gate::Steal { share: 0.021 }),
        ("b-rest-bff", round) => {
            if let Some(cpu_us) = &mut run.usage.server.cpu_us {
                *cpu_us *= 1.0 + 0.03 * f64::from(round);
            }
        }
        _ => {}
    }
}

fn session(cells: &[Cell], repeated: Option<usize>, rounds: u32, scatter: f64) -> Session {
    let mut rows: Vec<Row> = cells.iter().map(row).collect();
    let mut sources: Vec<&Cell> = cells.iter().collect();
    if let Some(index) = repeated {
        rows.push(repetition(&rows[index]));
        sources.push(&cells[index]);
    }
    let started_at: Timestamp = "2026-01-15T09:30:00Z".parse().unwrap();
    let mut numbers = Numbers(7);
    let mut order = Vec::new();
    let mut runs = Vec::new();
    for round in 1..=rounds {
        let mut slots: Vec<usize> = (0..rows.len()).collect();
        numbers.shuffle(&mut slots);
        order.push(slots.iter().map(|slot| rows[*slot].id.clone()).collect());
        let weather = numbers.around_one(2.0 * scatter);
        for (slot, index) in slots.into_iter().enumerate() {
            let started_at =
                started_at + SignedDuration::from_secs(2 * i64::try_from(runs.len()).unwrap());
            let place = (round, u32::try_from(slot + 1).unwrap(), started_at);
            let noise = [(); 5].map(|()| weather * numbers.around_one(scatter));
            runs.push(run(&rows[index], sources[index], place, noise));
        }
    }
    let mut session = Session {
        schema: RESULTS_SCHEMA.to_owned(),
        tool_version: "0.1.0".to_owned(),
        tool_revision: Some("0123456789ab".to_owned()),
        command: "bookstore-bench run --seed 7  # INVENTED FIGURES, made by the test suite"
            .to_owned(),
        started_at,
        updated_at: started_at + SignedDuration::from_secs(2 * i64::try_from(runs.len()).unwrap()),
        state: SessionState::Complete,
        machine: machine(),
        settings: settings(rounds, order),
        server: server_facts(),
        server_idle_cpu_us_per_s: Some(210.0),
        equal_answers: Some(EqualAnswers {
            compared: 24,
            differences: Vec::new(),
        }),
        rows,
        maxima: Vec::new(),
        runs,
        analysis: Analysis::default(),
    };
    analyse(&mut session);
    session
}

/// Fills the analysis as the product does.
fn analyse(session: &mut Session) {
    session.analysis = analysis::analyse(session);
}

fn row(cell: &Cell) -> Row {
    let (group, group_label, scenario, lines) = cell.group;
    let prefix = lines.map_or_else(String::new, |lines| format!("L{lines}-"));
    Row {
        id: format!("{prefix}{}", cell.id),
        cell: cell.id.to_owned(),
        scenario: scenario.to_owned(),
        group: group.to_owned(),
        group_label: group_label.to_owned(),
        style: cell.style,
        label: cell.label.to_owned(),
        lines,
        requests_per_op: cell.requests.0,
        rounds_per_op: cell.requests.1,
        reference: cell.id.ends_with("-rest"),
        repeats: None,
        condition: Condition::default(),
    }
}

fn repetition(row: &Row) -> Row {
    Row {
        id: format!("{}#2", row.id),
        label: format!("{} (2)", row.label),
        reference: false,
        repeats: Some(row.id.clone()),
        ..row.clone()
    }
}

fn run(row: &Row, cell: &Cell, place: (u32, u32, Timestamp), noise: [f64; 5]) -> Run {
    let (round, slot, started_at) = place;
    let server_us = cell.cpu_us[0] * noise[0];
    let client_us = cell.cpu_us[1] * noise[1];
    let other_us = 1.1 * noise[2];
    let capacity_us = f64::from(CORES) * WINDOW_S * 1e6;
    let operations = whole(0.97 * capacity_us / (server_us + client_us + other_us));
    let count = operations as f64;
    let [p50, p95] = [cell.latency_ms[0] * noise[3], cell.latency_ms[1] * noise[4]];
    let process = |cpu_us: f64, peak_mib: u64| ProcessUsage {
        cpu_us: Some(tidy(cpu_us * count)),
        user_cpu_us_sampled: Some(tidy(0.5 * cpu_us * count)),
        system_cpu_us_sampled: Some(tidy(0.5 * cpu_us * count)),
        run_queue_wait_us: Some(tidy(0.2 * cpu_us * count)),
        peak_rss_bytes: Some(peak_mib << 20),
    };
    let [sent, received, sent_body, received_body] = cell.bytes.map(|bytes| bytes * operations);
    Run {
        row: row.id.clone(),
        round,
        slot,
        started_at,
        link: None,
        sql: None,
        load: LoadSummary {
            contract: LOAD_CONTRACT.to_owned(),
            engine: Engine {
                name: "load".to_owned(),
                version: "0.1.0".to_owned(),
                workers: Some(2),
            },
            script: cell.id.to_owned(),
            lines: row.lines,
            vus: 20,
            elapsed_s: WINDOW_S,
            operations,
            failed_operations: 0,
            failures: Vec::new(),
            dropped_iterations: 0,
            late_starts: 0,
            requests: operations * u64::from(row.requests_per_op),
            latency: Latency {
                min_ms: tidy(0.3 * p50),
                mean_ms: tidy(1.1 * p50),
                p50_ms: tidy(p50),
                p95_ms: tidy(p95),
                p99_ms: tidy(1.6 * p95),
                max_ms: tidy(6.0 * p95),
            },
            first_event_p50_ms: None,
            samples: None,
            sent_bytes: sent,
            received_bytes: received,
            sent_body_bytes: Some(sent_body),
            received_body_bytes: Some(received_body),
            kernel_sent_bytes: Some(sent),
            kernel_received_bytes: Some(received),
            connections: Some(20),
        },
        usage: Usage {
            window_s: WINDOW_S,
            server: process(server_us, 19),
            client: process(client_us, 23),
            machine: Some(MachineUsage {
                busy_us: tidy((server_us + client_us + other_us) * count),
                steal_us: 0.0,
                capacity_us,
            }),
        },
        gates: Vec::new(),
    }
}

/// Six decimals: more would be noise in the golden files.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "operations of one window are positive and few"
)]
fn whole(value: f64) -> u64 {
    value.round() as u64
}

/// A fixed sequence of numbers (a multiplicative congruential generator), the same everywhere.
struct Numbers(u64);

impl Numbers {
    /// The next number, at least 0 and below 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0 * 48_271 % 0x7fff_ffff;
        self.0 as f64 / f64::from(0x7fff_ffff)
    }

    /// A factor between 1 − `scatter` and 1 + `scatter`, most often near 1.
    fn around_one(&mut self, scatter: f64) -> f64 {
        1.0 + scatter * (self.next() + self.next() - 1.0)
    }

    fn shuffle(&mut self, items: &mut [usize]) {
        for index in (1..items.len()).rev() {
            let other = whole((self.next() * (index as f64 + 1.0)).floor());
            items.swap(index, usize::try_from(other).unwrap());
        }
    }
}
