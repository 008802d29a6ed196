//! oha, a load generator on hyper, for HTTP/1.1.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context, anyhow, ensure};
use floor::RecordedRequest;
use serde::Deserialize;

use crate::{
    load::Length,
    process::{self, Finished},
    programs,
    progress::say,
    rivals,
};

/// The version that goals are set against.
const VERSION: &str = "1.16.0";

/// Where it is installed, from the top of the repository's target folder.
fn root() -> PathBuf {
    programs::target_folder().join("oha")
}

/// The installed program of the right version, if there is one.
fn installed() -> Option<PathBuf> {
    let program = root().join("bin").join("oha");
    let version = process::run(Command::new(&program).arg("--version")).ok()?;
    (version.stdout.split_whitespace().last() == Some(VERSION)).then_some(program)
}

/// The program; it is installed when it is missing and may be. The error is why there is none.
pub fn find(may_install: bool) -> Result<PathBuf, String> {
    if let Some(program) = installed() {
        return Ok(program);
    }
    if !may_install {
        return Err(format!(
            "oha {VERSION} is not in {}; run without --quick",
            root().display()
        ));
    }
    install().map_err(|error| {
        say(&format!("error: {error:#}"));
        format!("oha {VERSION} cannot be installed, for the reason above")
    })
}

/// Installs it from crates.io; nothing outside of the target folder changes.
fn install() -> anyhow::Result<PathBuf> {
    say(&format!(
        "installing oha {VERSION}; this takes some minutes"
    ));
    let root = root();
    let version = ["--version", VERSION, "--locked", "--quiet"];
    process::run(
        Command::new("cargo")
            .args(["install", "oha"])
            .args(version)
            .arg("--root")
            .arg(&root)
            .arg("--target-dir")
            .arg(root.join("build")),
    )?;
    installed().ok_or_else(|| anyhow!("oha {VERSION} was installed and does not start"))
}

/// One run.
pub struct Run {
    pub operations: u64,
    pub cpu: Duration,
}

/// Repeats one request on `connections` connections, one request at a time on each; fails when any
/// request failed or was answered with another status than 2xx.
pub fn drive(
    oha: &Path,
    url: &str,
    request: &RecordedRequest,
    connections: u32,
    length: Length,
) -> anyhow::Result<Run> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let body = folder.path().join("body");
    fs::write(&body, &request.body).context("cannot write oha's body")?;
    let mut command = Command::new(oha);
    command
        .args(["--no-tui", "--output-format", "json"])
        .args(["--worker-threads", "1", "-c", &connections.to_string()])
        .args(["-m", request.method.as_str(), "-D"])
        .arg(&body);
    match length {
        // What is under way at the end is waited for, so that nothing counts as broken off.
        Length::Millis(millis) => command.args(["-z", &format!("{millis}ms"), "-w"]),
        Length::Operations(count) => command.args(["-n", &count.to_string()]),
    };
    for (name, value) in rivals::headers(request)? {
        command.args(["-H", &format!("{name}: {value}")]);
    }
    let Finished { cpu, stdout } = process::run(command.arg(format!("{url}{}", request.target())))?;
    Ok(Run {
        operations: operations(&stdout)?,
        cpu,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    status_code_distribution: BTreeMap<String, u64>,
    error_distribution: BTreeMap<String, u64>,
}

/// Answered requests in its report.
fn operations(report: &str) -> anyhow::Result<u64> {
    let report: Report =
        serde_json::from_str(report).context("oha's report is not what version 1.16 writes")?;
    let refused = (report.status_code_distribution.keys()).find(|code| !code.starts_with('2'));
    let broken = report.error_distribution.keys().next();
    if let Some(reason) = refused.or(broken) {
        return Err(anyhow!("oha reports failed requests: {reason}"));
    }
    let count = report.status_code_distribution.values().sum();
    ensure!(count > 0, "oha completed no request");
    Ok(count)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_report_counts_only_when_every_request_was_answered_well() {
        let report = |codes: &str, errors: &str| {
            format!(
                r#"{{"summary":{{"total":1.0}},"statusCodeDistribution":{{{codes}}},"errorDistribution":{{{errors}}}}}"#
            )
        };
        assert_eq!(operations(&report(r#""201":7"#, "")).unwrap(), 7);
        for (codes, errors, reason) in [
            (r#""201":7,"500":1"#, "", "500"),
            (
                r#""201":7"#,
                r#""connection refused":2"#,
                "connection refused",
            ),
            ("", "", "no request"),
        ] {
            let error = operations(&report(codes, errors)).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}");
        }
        assert!(operations("{}").is_err());
    }
}
