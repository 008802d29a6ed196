//! One run of a load driver: the load process, or the embedded runner with the cell's script.

use std::{ffi::OsString, fs, path::Path, process::Command, time::Duration};

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

/// What drives the load. Both are subcommands of one executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Compiled clients.
    Load,
    /// The embedded runner of k6 scripts.
    Script,
}

/// A driver, and how many threads drive its virtual users.
#[derive(Clone, Copy)]
pub struct Driver<'a> {
    pub bench: &'a Path,
    pub engine: Engine,
    /// The driver's own default when absent.
    pub workers: Option<u16>,
}

/// Drives one row with the load process; see [`Driver::drive`].
pub fn drive(
    bench: &Path,
    row: &Row,
    url: &str,
    vus: u32,
    length: Length,
) -> anyhow::Result<Loaded> {
    let driver = Driver {
        bench,
        engine: Engine::Load,
        workers: None,
    };
    driver.drive(row, url, vus, length)
}

impl Driver<'_> {
    /// Drives one row against the server at `url` (`http://HOST:PORT`); fails when any operation
    /// failed or none succeeded.
    pub fn drive(&self, row: &Row, url: &str, vus: u32, length: Length) -> anyhow::Result<Loaded> {
        let summary_file = NamedTempFile::new().context("cannot make a temporary file")?;
        let mut command = self.command(row, url, vus, length);
        command.arg("-e").arg(summary_variable(summary_file.path()));
        let finished = process::run(&mut command).with_context(|| format!("loading {}", row.id))?;
        let text =
            fs::read_to_string(summary_file.path()).context("cannot read the load summary")?;
        let summary = accepted(&text).with_context(|| format!("loading {}", row.id))?;
        Ok(Loaded {
            summary,
            cpu: finished.cpu,
        })
    }

    fn command(&self, row: &Row, url: &str, vus: u32, length: Length) -> Command {
        let mut command = Command::new(self.bench);
        command.arg(match self.engine {
            Engine::Load => "load",
            Engine::Script => "script",
        });
        command.args(["run", row.cell.program(), "--quiet"]);
        if let Some(workers) = self.workers {
            command.args(["--workers", &workers.to_string()]);
        }
        command.args(arguments(row, url, vus, length));
        command
    }
}

/// Asks for a summary in a file.
fn summary_variable(file: &Path) -> OsString {
    let mut variable = OsString::from("BENCH_SUMMARY=");
    variable.push(file);
    variable
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
        record::{self, Failure, Latency},
    };

    use super::*;

    /// A summary with nothing in it but these figures.
    pub fn summary(operations: u64, failed_operations: u64) -> LoadSummary {
        LoadSummary {
            contract: LOAD_CONTRACT.to_owned(),
            engine: record::Engine {
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
            first_event_p50_ms: None,
            samples: None,
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
    fn both_engines_are_told_the_same() {
        let row = &crate::row::rows(&Catalogue::built_in(), &["b-rest".to_owned()]).unwrap()[0];
        let line = |engine, workers| {
            let bench = Path::new("bench");
            let driver = Driver {
                bench,
                engine,
                workers,
            };
            let command = driver.command(row, "http://127.0.0.1:9", 3, Length::Operations(7));
            let words = command.get_args().map(|word| word.to_string_lossy());
            words.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            line(Engine::Load, None),
            "load run k6/b-rest.js --quiet --vus 3 --iterations 7 -e BASE_URL=http://127.0.0.1:9"
        );
        assert_eq!(
            line(Engine::Script, Some(1)),
            "script run k6/b-rest.js --quiet --workers 1 --vus 3 --iterations 7 \
             -e BASE_URL=http://127.0.0.1:9"
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
