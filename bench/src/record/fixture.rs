//! Recorded sessions with known figures, for tests.

use std::collections::BTreeMap;

use super::{
    Analysis, Condition, CpuMeter, Engine, LOAD_CONTRACT, Latency, LoadModel, LoadSummary, Machine,
    MachineUsage, ProcessUsage, RESULTS_SCHEMA, Row, Run, ServerFacts, Session, SessionState,
    Settings, Usage,
};
use crate::catalogue::Style;

/// Operations of a [`run`] in its one second.
pub const OPERATIONS: u64 = 10_000;

/// A session of the rows named, with one run for each figure: the server CPU per operation in µs in
/// rounds 1, 2, … A shorter list leaves the later rounds without a run of that row. Row ids are
/// `GROUP-STYLE`; the first row of a group is its reference, and `…#2` repeats the row before the `#`.
/// The analysis is empty.
pub fn session(rows: &[(&str, &[f64])]) -> Session {
    let mut session = without_runs();
    for (id, _) in rows {
        let mut row = row(id);
        row.reference = session.rows.iter().all(|other| other.group != row.group);
        session.rows.push(row);
    }
    let rounds = rows.iter().map(|(_, figures)| figures.len()).max();
    for round in 0..rounds.unwrap_or(0) {
        let number = u32::try_from(round + 1).unwrap_or(u32::MAX);
        for (id, figures) in rows {
            if let Some(&server_cpu_us_per_op) = figures.get(round) {
                session.runs.push(run(id, number, server_cpu_us_per_op));
            }
        }
    }
    session
}

/// A row whose group is all but the last word of its id, and its condition.
pub fn row(id: &str) -> Row {
    if let Some((name, condition)) = id.split_once('@') {
        let plain = row(name);
        return Row {
            id: id.to_owned(),
            group: format!("{}@{condition}", plain.group),
            condition: condition.parse().unwrap_or_default(),
            ..plain
        };
    }
    let (cell, repetition) = id
        .split_once('#')
        .map_or((id, None), |(cell, number)| (cell, Some(number)));
    let (group, style) = cell.rsplit_once('-').unwrap_or((cell, "rest"));
    Row {
        id: id.to_owned(),
        cell: cell.to_owned(),
        scenario: "a".to_owned(),
        group: group.to_owned(),
        group_label: format!("group {group}"),
        style: match style {
            "grpc" => Style::Grpc,
            "grpcweb" => Style::GrpcWeb,
            "graphql" => Style::GraphQl,
            _ => Style::Rest,
        },
        label: style.to_owned(),
        lines: Some(2),
        requests_per_op: 1,
        rounds_per_op: 1,
        reference: false,
        repeats: repetition.map(|_| cell.to_owned()),
        condition: Condition::default(),
    }
}

/// A clean run of one second: 20 virtual users, 10,000 operations of 2 ms, half a core of client CPU
/// (50 µs per operation), and nothing else on four cores.
pub fn run(row: &str, round: u32, server_cpu_us_per_op: f64) -> Run {
    let server_us = server_cpu_us_per_op * OPERATIONS as f64;
    let client_us = 50.0 * OPERATIONS as f64;
    let process = |cpu_us: f64| ProcessUsage {
        cpu_us: Some(cpu_us),
        user_cpu_us_sampled: Some(cpu_us * 0.6),
        system_cpu_us_sampled: Some(cpu_us * 0.4),
        run_queue_wait_us: Some(1_000.0),
        peak_rss_bytes: Some(12_000_000 + u64::from(round)),
    };
    Run {
        row: row.to_owned(),
        round,
        slot: 1,
        started_at: jiff::Timestamp::UNIX_EPOCH,
        load: load(row),
        usage: Usage {
            window_s: 1.0,
            server: process(server_us),
            client: process(client_us),
            machine: Some(MachineUsage {
                busy_us: server_us + client_us,
                steal_us: 0.0,
                capacity_us: 4_000_000.0,
            }),
        },
        link: None,
        sql: None,
        gates: Vec::new(),
    }
}

fn load(row: &str) -> LoadSummary {
    LoadSummary {
        contract: LOAD_CONTRACT.to_owned(),
        engine: Engine {
            name: "load".to_owned(),
            version: "0.1.0".to_owned(),
            workers: Some(2),
        },
        script: row.to_owned(),
        lines: Some(2),
        vus: 20,
        elapsed_s: 1.0,
        operations: OPERATIONS,
        failed_operations: 0,
        failures: Vec::new(),
        dropped_iterations: 0,
        late_starts: 0,
        requests: OPERATIONS,
        latency: Latency {
            min_ms: 1.0,
            mean_ms: 2.0,
            p50_ms: 1.9,
            p95_ms: 3.5,
            p99_ms: 5.0,
            max_ms: 9.0,
        },
        first_event_p50_ms: None,
        samples: None,
        sent_bytes: 300 * OPERATIONS,
        received_bytes: 200 * OPERATIONS,
        sent_body_bytes: Some(105 * OPERATIONS),
        received_body_bytes: Some(80 * OPERATIONS),
        kernel_sent_bytes: Some(300 * OPERATIONS),
        kernel_received_bytes: Some(200 * OPERATIONS),
        connections: Some(20),
    }
}

/// A complete session without rows: closed model, two worker threads on each side, four cores.
pub fn without_runs() -> Session {
    Session {
        schema: RESULTS_SCHEMA.to_owned(),
        tool_version: "0.1.0".to_owned(),
        tool_revision: None,
        command: "bookstore-bench run".to_owned(),
        started_at: jiff::Timestamp::UNIX_EPOCH,
        updated_at: jiff::Timestamp::UNIX_EPOCH,
        state: SessionState::Complete,
        machine: machine(),
        settings: settings(),
        server: ServerFacts {
            version: "0.1.0".to_owned(),
            git_revision: None,
            build_profile: "release".to_owned(),
            debug_assertions: false,
            allocator: "mimalloc".to_owned(),
            log_level: "warn".to_owned(),
            worker_threads: 2,
            graphql_document_cache: true,
        },
        server_idle_cpu_us_per_s: Some(100.0),
        equal_answers: None,
        rows: Vec::new(),
        maxima: Vec::new(),
        runs: Vec::new(),
        analysis: Analysis::default(),
    }
}

/// Four cores whose CPU time can be read.
pub fn machine() -> Machine {
    Machine {
        os: "linux".to_owned(),
        kernel: Some("6.1".to_owned()),
        cpu_model: Some("Example CPU".to_owned()),
        logical_cores: 4,
        memory_bytes: Some(8_000_000_000),
        hypervisor: None,
        governor: Some("performance".to_owned()),
        irq_time_accounting: Some(false),
        load_average_x100: Some(10),
        tcp_congestion_control: Some("cubic".to_owned()),
        cpu_meter: CpuMeter::ProcessCpuClock,
        rustc: None,
        advice: Vec::new(),
    }
}

/// 20 virtual users in a closed loop, two worker threads on each side, a tie margin of 5 %.
pub fn settings() -> Settings {
    Settings {
        profile: "quick".to_owned(),
        vus: 20,
        warmup_s: 0.5,
        duration_s: 1.0,
        rounds: 8,
        model: LoadModel::Closed,
        seed: 1,
        order: Vec::new(),
        server_workers: 2,
        load_workers: 2,
        driver: "load".to_owned(),
        tie_margin: 0.05,
        surcharges: BTreeMap::new(),
    }
}
