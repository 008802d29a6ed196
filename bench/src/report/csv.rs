//! One line per run with every figure, for spreadsheets and scripts.

use crate::record::{Figure, Run, Session};

use super::{view, words};

/// Column names; units are in the names, empty fields could not be read.
const COLUMNS: [&str; 42] = [
    "row",
    "group",
    "scenario",
    "style",
    "lines",
    "round",
    "slot",
    "started_at",
    "round_counts",
    "engine",
    "engine_version",
    "engine_workers",
    "vus",
    "operations",
    "failed_operations",
    "dropped_iterations",
    "late_starts",
    "requests",
    "elapsed_s",
    "ops_per_s",
    "min_ms",
    "mean_ms",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "max_ms",
    "requests_per_op",
    "sent_bytes_per_op",
    "received_bytes_per_op",
    "sent_body_bytes",
    "received_body_bytes",
    "server_cpu_us_per_op",
    "client_cpu_us_per_op",
    "other_cpu_us_per_op",
    "window_s",
    "server_cpu_us",
    "client_cpu_us",
    "machine_busy_us",
    "machine_steal_us",
    "machine_capacity_us",
    "server_peak_rss_bytes",
    "gates",
];

/// Columns that stand at the end where a run is a sequence; its mean and its median are `mean_ms` and
/// `p50_ms`.
const OF_SEQUENCES: [Figure; 8] = [
    Figure::SdMs,
    Figure::MadMs,
    Figure::HalfInterval999Ms,
    Figure::TtfbMeanMs,
    Figure::TtfbSdMs,
    Figure::TtfbMadMs,
    Figure::TtfbMedianMs,
    Figure::TtfbHalfInterval999Ms,
];

/// Columns that stand after these, each where a run has it.
const OF_SOME: [Figure; 3] = [
    Figure::FirstEventP50Ms,
    Figure::SqlStatementsPerOp,
    Figure::SqlMsPerOp,
];

/// The runs in time order. Numbers are unrounded, with a decimal point whatever the locale.
///
/// # Panics
/// Never: memory takes every record.
#[must_use]
pub fn render(session: &Session) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let is_sequence = |run: &Run| run.load.samples.is_some();
    let of_sequences = session.runs.iter().any(is_sequence);
    let of_sequences = OF_SEQUENCES.into_iter().filter(|_| of_sequences);
    let is_there = |figure: &Figure| session.runs.iter().any(|run| figure.of(run).is_some());
    let further: Vec<Figure> = of_sequences
        .chain(OF_SOME.into_iter().filter(is_there))
        .collect();
    let of_run = |run| {
        let figures = further.iter().map(|figure| shown(figure.of(run)));
        record(session, run).into_iter().chain(figures).collect()
    };
    let names = further.iter().map(|figure| figure.name().to_owned());
    let head: Vec<String> = COLUMNS
        .map(str::to_owned)
        .into_iter()
        .chain(names)
        .collect();
    for record in std::iter::once(head).chain(session.runs.iter().map(of_run)) {
        writer
            .write_record(&record)
            .expect("all records have as many fields as there are columns");
    }
    let bytes = writer
        .into_inner()
        .expect("memory takes what the writer still holds");
    String::from_utf8_lossy(&bytes).into_owned()
}

fn record(session: &Session, run: &Run) -> [String; COLUMNS.len()] {
    let row = view::row(session, &run.row);
    let load = &run.load;
    let latency = load.latency;
    let machine = run.usage.machine;
    let gates: Vec<String> = run.gates.iter().map(words::gate).collect();
    [
        run.row.clone(),
        shown(row.map(|row| &row.group)),
        shown(row.map(|row| &row.group_label)),
        shown(row.map(|row| &row.label)),
        shown(load.lines),
        run.round.to_string(),
        run.slot.to_string(),
        run.started_at.to_string(),
        view::counts(session, run).to_string(),
        load.engine.name.clone(),
        load.engine.version.clone(),
        shown(load.engine.workers),
        load.vus.to_string(),
        load.operations.to_string(),
        load.failed_operations.to_string(),
        load.dropped_iterations.to_string(),
        load.late_starts.to_string(),
        load.requests.to_string(),
        load.elapsed_s.to_string(),
        load.ops_per_s().to_string(),
        latency.min_ms.to_string(),
        latency.mean_ms.to_string(),
        latency.p50_ms.to_string(),
        latency.p95_ms.to_string(),
        latency.p99_ms.to_string(),
        latency.max_ms.to_string(),
        shown(run.requests_per_op()),
        shown(run.sent_bytes_per_op()),
        shown(run.received_bytes_per_op()),
        shown(load.sent_body_bytes),
        shown(load.received_body_bytes),
        shown(run.server_cpu_us_per_op()),
        shown(run.client_cpu_us_per_op()),
        shown(run.other_cpu_us_per_op()),
        run.usage.window_s.to_string(),
        shown(run.usage.server.cpu_us),
        shown(run.usage.client.cpu_us),
        shown(machine.map(|machine| machine.busy_us)),
        shown(machine.map(|machine| machine.steal_us)),
        shown(machine.map(|machine| machine.capacity_us)),
        shown(run.usage.server.peak_rss_bytes),
        gates.join("; "),
    ]
}

/// The value, or an empty field.
fn shown<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
