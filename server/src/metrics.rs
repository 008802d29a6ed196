//! `GET /metrics`: what the process has used, in the Prometheus text format 0.0.4
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use std::{
    fmt::Write,
    fs,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::{Router, routing::get};
use http::header::CONTENT_TYPE;

use crate::{
    clock,
    domain::EventFeed,
    expenses::{SqlMeter, SqlUsage},
};

const TEXT_FORMAT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The route `/metrics`, with what `sql` counts if there is a database. The process counts as started when
/// this is called.
pub fn router(events: EventFeed, sql: Option<SqlMeter>) -> Router {
    let started = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let answer = async move || {
        let usage = sql.as_ref().map(SqlMeter::usage);
        let text = exposition(started, &events, usage);
        ([(CONTENT_TYPE, TEXT_FORMAT)], text)
    };
    Router::new().route("/metrics", get(answer))
}

/// What the system cannot tell is left out.
fn exposition(started: Duration, events: &EventFeed, sql: Option<SqlUsage>) -> String {
    let mut text = String::with_capacity(1_024);
    if let Some(cpu) = clock::process_cpu() {
        let seconds = format!("{}.{:06}", cpu.as_secs(), cpu.subsec_micros());
        let help = "User and system CPU time of all threads in seconds.";
        push(
            &mut text,
            "process_cpu_seconds_total",
            "counter",
            help,
            &seconds,
        );
    }
    if let Some(bytes) = resident_bytes() {
        let help = "Resident memory in bytes.";
        push(
            &mut text,
            "process_resident_memory_bytes",
            "gauge",
            help,
            &bytes.to_string(),
        );
    }
    let started = format!("{}.{:03}", started.as_secs(), started.subsec_millis());
    let help = "Start of the server in seconds since 1970.";
    push(
        &mut text,
        "process_start_time_seconds",
        "gauge",
        help,
        &started,
    );
    let help = "Streams of events that are open, in every style.";
    let open = events.open_streams().to_string();
    push(&mut text, "event_streams_open", "gauge", help, &open);
    let help = "Events made for streams that have ended.";
    let made = events.events_made().to_string();
    push(&mut text, "events_made_total", "counter", help, &made);
    if let Some(sql) = sql {
        push_sql(&mut text, sql);
    }
    text
}

fn push_sql(text: &mut String, sql: SqlUsage) {
    for (name, kind, help, value) in [
        (
            "expenses_sql_statements_total",
            "counter",
            "Statements that read expenses or users.",
            sql.statements.to_string(),
        ),
        (
            "expenses_sql_seconds_total",
            "counter",
            "Time in which the database worked on them, without waiting for a connection.",
            format!("{}.{:09}", sql.time.as_secs(), sql.time.subsec_nanos()),
        ),
        (
            "expenses_sql_statements_at_once_max",
            "gauge",
            "The most of them that ran at the same time.",
            sql.most_at_once.to_string(),
        ),
    ] {
        push(text, name, kind, help, &value);
    }
}

fn push(text: &mut String, name: &str, kind: &str, help: &str, value: &str) {
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}\n"
    );
}

/// The `VmRSS` line of `/proc/self/status`, which the kernel gives in units of 1,024 bytes.
fn resident_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1_024)
}
