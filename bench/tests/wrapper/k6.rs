//! Sessions that the user's k6 drives, with stand-ins that only share its command line.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use bookstore_bench::record::{Session, SessionState};
use tempfile::TempDir;

use crate::sitting::{End, Sitting};

/// An executable that answers `version` and otherwise does what `run` says; the script is `$2`, and
/// `$file` is where the summary belongs.
fn stand_in(folder: &Path, version: &str, run: &str) -> String {
    let text = format!(
        r#"#!/bin/sh
if [ "$1" = version ]; then echo "{version}"; exit 0; fi
for word in "$@"; do
  case "$word" in BENCH_SUMMARY=*) file=${{word#BENCH_SUMMARY=}} ;; esac
done
{run}
"#
    );
    let path = folder.join("k6");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// A summary as the suite's `handleSummary` writes it.
fn summary(operations: u32, failed: u32) -> String {
    let failures = if failed > 0 {
        format!(r#"[{{"reason": "status 500", "count": {failed}}}]"#)
    } else {
        "[]".to_owned()
    };
    format!(
        r#"cat > "$file" <<'JSON'
{{"contract": "bookstore-bench/load-summary/v1",
 "engine": {{"name": "k6", "version": "2.4.0"}},
 "script": "b-rest-bff", "lines": null, "vus": 2, "elapsed_s": 0.1, "operations": {operations},
 "failed_operations": {failed}, "failures": {failures},
 "dropped_iterations": 0, "late_starts": 0, "requests": 10,
 "latency": {{"min_ms": 1, "mean_ms": 20, "p50_ms": 20, "p95_ms": 21, "p99_ms": 22, "max_ms": 23}},
 "sent_bytes": 100, "received_bytes": 100}}
JSON"#
    )
}

fn measure(version: &str, run: &str) -> (Sitting, End, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let program = stand_in(folder.path(), version, run);
    let mut sitting = Sitting::start(&[
        "--cells",
        "b-rest-bff",
        "--driver",
        "k6",
        "--k6",
        &program,
        "--warmup",
        "0s",
        "--duration",
        "1s",
    ]);
    let end = sitting.end();
    (sitting, end, folder)
}

#[test]
fn a_k6_gets_script_settings_and_addresses() {
    let run = format!(
        r#"echo "$K6_AUTO_EXTENSION_RESOLUTION $@" >> "$(dirname "$0")/calls"; {}"#,
        summary(10, 0)
    );
    let (sitting, end, folder) = measure("k6 v2.4.0 (go1.27.0, linux/amd64)", &run);
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    assert_eq!(session.settings.driver, "k6");
    assert_eq!(session.runs[0].load.engine.version, "2.4.0");
    let calls = fs::read_to_string(folder.path().join("calls")).unwrap();
    for word in [
        "false run k6/b-rest-bff.js",
        "VUS=2",
        "DURATION=1000ms",
        "BASE_URL=http://127.0.0.1:",
        "GRPC_ADDR=127.0.0.1:",
    ] {
        assert!(calls.contains(word), "{word} in {calls}");
    }
}

#[test]
fn a_k6_gets_the_certificate_of_an_encrypted_row_and_nothing_else_to_trust() {
    let run = format!(
        r#"echo "$@" >> "$(dirname "$0")/calls"
cat "$SSL_CERT_FILE" >> "$(dirname "$0")/file"
ls "$SSL_CERT_DIR" >> "$(dirname "$0")/folder"
{}"#,
        summary(10, 0)
    );
    let folder = tempfile::tempdir().unwrap();
    let program = stand_in(folder.path(), "k6 v2.4.0", &run);
    let flags = ["--cells", "a-grpc@tls=on", "--lines", "2", "--driver", "k6"];
    let times = ["--k6", &program, "--warmup", "0s", "--duration", "1s"];
    let mut sitting = Sitting::start(&[&flags[..], &times, &["--no-noise-floor"]].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    assert_eq!(sitting.saved().runs[0].row, "L2-a-grpc@tls=on");
    let read = |name| fs::read_to_string(folder.path().join(name)).unwrap();
    let calls = read("calls");
    for word in ["k6/a-grpc.js", "BASE_URL=https://127.0.0.1:", "GRPC_TLS=on"] {
        assert!(calls.contains(word), "{word} in {calls}");
    }
    let trusted = read("file");
    assert!(
        trusted.starts_with("-----BEGIN CERTIFICATE-----"),
        "{trusted}"
    );
    assert_eq!(read("folder"), "certificate.pem\n");
}

#[test]
fn failed_operations_take_their_round_out_and_the_exit_code_says_so() {
    let (sitting, end, _folder) = measure("k6 v2.4.0", &summary(9, 1));
    assert_eq!(end.status.code(), Some(3), "{}", end.stderr);
    assert!(end.stderr.contains("status 500"), "{}", end.stderr);
    let session: Session = sitting.saved();
    assert_eq!(session.analysis.valid_rounds, 0);
    assert_eq!(session.analysis.rounds_out.len(), 1);
    assert!(!session.runs.is_empty(), "the runs are kept");
}

#[test]
fn a_load_process_that_leaves_no_summary_is_named() {
    let (sitting, end, _folder) = measure("k6 v2.4.0", "exit 0");
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("wrote no load summary"),
        "{}",
        end.stderr
    );
    assert!(matches!(sitting.saved().state, SessionState::Failed { .. }));
}

#[test]
fn a_summary_of_another_engine_is_refused() {
    let run = summary(10, 0).replace(r#""name": "k6""#, r#""name": "script""#);
    let (_sitting, end, _folder) = measure("k6 v2.4.0", &run);
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("engine \"script\", and \"k6\""),
        "{}",
        end.stderr
    );
}

#[test]
fn a_k6_that_changes_during_the_session_ends_it_and_its_figures_are_left_out() {
    let run = format!(
        r#"echo >> "$(dirname "$0")/calls"
{}
if [ "$(wc -l < "$(dirname "$0")/calls")" -gt 1 ]; then sed -i s/2.4.0/2.5.0/ "$file"; fi"#,
        summary(10, 0)
    );
    let folder = tempfile::tempdir().unwrap();
    let program = stand_in(folder.path(), "k6 v2.4.0", &run);
    let flags = ["--cells", "b-rest-bff,b-graphql", "--driver", "k6", "--k6"];
    let times = [&*program, "--warmup", "0s", "--duration", "1s"];
    let mut sitting = Sitting::start(&[&flags[..], &times[..]].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(1), "{}", end.stderr);
    assert!(
        end.stderr.contains("was driven by k6 2.5.0")
            && end.stderr.contains("the session began with k6 2.4.0"),
        "{}",
        end.stderr
    );
    assert_eq!(sitting.saved().runs.len(), 1);
}

#[test]
fn a_server_that_dies_with_its_load_is_what_is_reported() {
    let run = format!(
        r#"for task in $(cat /proc/$PPID/task/*/children); do
  if [ "$task" != $$ ]; then
    kill -9 "$task"
    while kill -0 "$task" 2> "$(dirname "$0")/said"; do :; done
  fi
done
{}
exit 1"#,
        summary(10, 0)
    );
    let (_sitting, end, _folder) = measure("k6 v2.4.0", &run);
    assert_eq!(end.status.code(), Some(1), "{}", end.stderr);
    assert!(
        end.stderr.contains("server") && end.stderr.contains("SIGKILL"),
        "{}",
        end.stderr
    );
}

#[test]
fn a_load_process_that_fails_is_quoted() {
    let (_sitting, end, _folder) = measure("k6 v2.4.0", "echo no such script >&2; exit 107");
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("107") && end.stderr.contains("no such script"),
        "{}",
        end.stderr
    );
}

#[test]
fn a_k6_that_is_missing_too_old_or_something_else_is_refused_with_the_remedy() {
    let (_sitting, end, _folder) = measure("k6 v1.8.1 (go1.25.0, linux/amd64)", "exit 0");
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("k6 1.8.1") && end.stderr.contains("2.0 or newer"),
        "{}",
        end.stderr
    );

    let (_sitting, end, _folder) = measure("GNU sed 4.9", "exit 0");
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("GNU sed 4.9") && end.stderr.contains("--k6"),
        "{}",
        end.stderr
    );

    let mut sitting = Sitting::start(&[
        "--driver",
        "k6",
        "--k6",
        "/nowhere/k6",
        "--warmup",
        "0s",
        "--duration",
        "1s",
    ]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(1));
    assert!(
        end.stderr.contains("/nowhere/k6") && end.stderr.contains("--driver script"),
        "{}",
        end.stderr
    );
}
