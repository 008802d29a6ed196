//! One run of the load process.

use std::{fs, path::Path, process::Command, time::Duration};

use anyhow::{Context, ensure};
use bookstore_bench::record::{LOAD_CONTRACT, LoadSummary};
use floor::Protocol;
use tempfile::NamedTempFile;

use crate::{process, row::Row};

/// How long a run lasts.
#[derive(Clone, Copy)]
pub enum Length {
    /// Wall time.
    Millis(u32),
    /// Operations, all virtual users together.
    Operations(u32),
}

/// What a run did, and the load process's CPU over its whole life.
pub struct Loaded {
    pub summary: LoadSummary,
    pub cpu: Duration,
}

/// Drives one row against the server at `url` (`http://HOST:PORT`); fails when any operation failed or none succeeded.
pub fn drive(
    bench: &Path,
    row: &Row,
    url: &str,
    vus: u32,
    length: Length,
) -> anyhow::Result<Loaded> {
    let summary_file = NamedTempFile::new().context("cannot make a temporary file")?;
    let mut command = Command::new(bench);
    command
        .args(["load", "run", &row.cell.script])
        .args(arguments(row, url, vus, length))
        .env("BENCH_SUMMARY", summary_file.path());
    let finished = process::run(&mut command).with_context(|| format!("loading {}", row.id))?;
    let text = fs::read_to_string(summary_file.path()).context("cannot read the load summary")?;
    let summary = accepted(&text).with_context(|| format!("loading {}", row.id))?;
    Ok(Loaded {
        summary,
        cpu: finished.cpu,
    })
}

fn arguments(row: &Row, url: &str, vus: u32, length: Length) -> Vec<String> {
    let mut arguments = vec!["--vus".to_owned(), vus.to_string()];
    arguments.extend(match length {
        Length::Millis(millis) => ["--duration".to_owned(), format!("{millis}ms")],
        Length::Operations(count) => ["--iterations".to_owned(), count.to_string()],
    });
    let address = match row.protocol() {
        Protocol::Http1 => format!("BASE_URL={url}"),
        Protocol::H2c => format!("GRPC_ADDR={}", url.trim_start_matches("http://")),
    };
    arguments.extend(["-e".to_owned(), address]);
    if let Some(lines) = row.lines {
        arguments.extend(["-e".to_owned(), format!("LINES={lines}")]);
    }
    arguments
}

/// A summary in which every operation succeeded.
fn accepted(text: &str) -> anyhow::Result<LoadSummary> {
    let summary: LoadSummary =
        serde_json::from_str(text).context("the load summary is not what the contract says")?;
    ensure!(
        summary.contract == LOAD_CONTRACT,
        "the load process speaks contract `{}`, this check `{LOAD_CONTRACT}`",
        summary.contract
    );
    ensure!(
        summary.failed_operations == 0,
        "{} of {} operations failed: {}",
        summary.failed_operations,
        summary.failed_operations + summary.operations,
        summary
            .failures
            .first()
            .map_or("no reason given", |failure| &failure.reason)
    );
    ensure!(summary.operations > 0, "no operation was completed");
    Ok(summary)
}

#[cfg(test)]
pub mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use bookstore_bench::{
        catalogue::Catalogue,
        record::{Engine, Failure, Latency},
    };

    use super::*;

    /// A summary with nothing in it but these figures.
    pub fn summary(operations: u64, failed_operations: u64) -> LoadSummary {
        LoadSummary {
            contract: LOAD_CONTRACT.to_owned(),
            engine: Engine {
                name: "load".to_owned(),
                version: "0".to_owned(),
                workers: None,
            },
            script: "a-rest".to_owned(),
            lines: Some(2),
            vus: 1,
            elapsed_s: 1.0,
            operations,
            failed_operations,
            failures: Vec::new(),
            dropped_iterations: 0,
            late_starts: 0,
            requests: operations,
            latency: Latency::default(),
            sent_bytes: 0,
            received_bytes: 0,
            sent_body_bytes: None,
            received_body_bytes: None,
            kernel_sent_bytes: None,
            kernel_received_bytes: None,
            connections: None,
        }
    }

    #[test]
    fn the_command_line_is_k6s() {
        let rows = crate::row::rows(&Catalogue::built_in(), &[]).unwrap();
        let line = |id: &str, length| {
            let row = rows.iter().find(|row| row.id == id).unwrap();
            arguments(row, "http://127.0.0.1:9", 20, length).join(" ")
        };
        assert_eq!(
            line("L50-a-grpc", Length::Operations(7)),
            "--vus 20 --iterations 7 -e GRPC_ADDR=127.0.0.1:9 -e LINES=50"
        );
        assert_eq!(
            line("b-rest", Length::Millis(1500)),
            "--vus 20 --duration 1500ms -e BASE_URL=http://127.0.0.1:9"
        );
    }

    #[test]
    fn only_a_summary_without_failures_is_accepted() {
        let text = |summary: &LoadSummary| serde_json::to_string(summary).unwrap();
        assert!(accepted(&text(&summary(5, 0))).is_ok());
        assert!(accepted(&text(&summary(0, 0))).is_err());
        let mut failed = summary(5, 2);
        failed.failures = vec![Failure {
            reason: "status 500".to_owned(),
            count: 2,
        }];
        let error = accepted(&text(&failed)).unwrap_err();
        assert!(error.to_string().contains("2 of 7"), "{error}");
        assert!(error.to_string().contains("status 500"), "{error}");
        let mut foreign = summary(5, 0);
        foreign.contract = "other/v9".to_owned();
        assert!(accepted(&text(&foreign)).is_err());
        assert!(accepted("{}").is_err());
    }
}
