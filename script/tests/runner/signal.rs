//! Ctrl-C ends a run in order.
#![cfg(unix)]

use std::{
    env, fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

use clap::Parser;
use script_runner::{ScriptArgs, run};

/// Names the script for the process that this test starts.
const SCRIPT: &str = "SCRIPT_RUNNER_TEST_SCRIPT";

/// The name of the test below.
const TEST: &str = "signal::an_interrupt_ends_the_run_with_teardown_and_summary";

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    script: ScriptArgs,
}

#[test]
fn an_interrupt_ends_the_run_with_teardown_and_summary() {
    // The signal is for a whole process, so this test is one of its own as well.
    if let Some(script) = env::var_os(SCRIPT) {
        let cli = Cli::parse_from(["run".into(), script]);
        std::process::exit(run(&cli.script).exit_code.into());
    }
    let rest = interrupted(
        "begun",
        "
        import { sleep } from 'k6';
        export const options = { vus: 2, duration: '10m' };
        export default function () { console.log('begun'); sleep(600); }
        export function teardown() { console.log('torn down'); }
        export function handleSummary() { return { stderr: 'summary\\n' }; }
        ",
    );
    has_all(&rest, &["torn down", "summary", "interrupted"]);
}

#[test]
fn an_interrupt_lets_teardown_and_summary_finish() {
    let rest = interrupted(
        "tearing",
        "
        import { sleep } from 'k6';
        export default function () {}
        export function teardown() { console.log('tearing'); sleep(1); console.log('torn down'); }
        export function handleSummary() { sleep(0.01); return { stderr: 'summary\\n' }; }
        ",
    );
    has_all(&rest, &["torn down", "summary", "interrupted"]);
    let rest = interrupted(
        "summing",
        "
        import { sleep } from 'k6';
        export default function () {}
        export function handleSummary() {
            console.log('summing');
            sleep(1);
            return { stderr: 'summary\\n' };
        }
        ",
    );
    has_all(&rest, &["summary", "interrupted"]);
}

fn has_all(lines: &[String], texts: &[&str]) {
    for text in texts {
        let has = lines.iter().any(|line| line.contains(text));
        assert!(has, "{text}: {lines:?}");
    }
}

/// What a script writes after it was interrupted at a line with `at`.
fn interrupted(at: &str, text: &str) -> Vec<String> {
    let directory = tempfile::tempdir().unwrap();
    let script = directory.path().join("script.js");
    fs::write(&script, text).unwrap();
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(SCRIPT, &script)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(at)));
    let id = child.id().to_string();
    let killed = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(killed.success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(105), "{rest:?}");
    rest
}
