//! What cannot be compared is refused with the remedy.

use std::{path::Path, thread, time::Duration};

use crate::stand_in::{Bench, FAITHFUL, compare};

#[test]
fn a_k6_that_is_missing_too_old_or_something_else() {
    let old = Bench::with_version("k6 v1.8.1 (go1.25.0, linux/amd64)", FAITHFUL).compare(&[]);
    assert_eq!(old.code, Some(1), "{old:?}");
    assert!(old.stderr.contains("k6 1.8.1") && old.stderr.contains("2.0 or newer"));

    let other = Bench::with_version("GNU sed 4.9", FAITHFUL).compare(&[]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(other.stderr.contains("GNU sed 4.9") && other.stderr.contains("--k6"));

    let script = Bench::new(FAITHFUL);
    let missing = compare(&script.script, Path::new("/nowhere/k6"), &[]);
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.stderr.contains("/nowhere/k6") && missing.stderr.contains("install k6"));
}

#[test]
fn a_script_that_is_not_there() {
    let outcome = Bench::new(FAITHFUL).compare_script(Path::new("nowhere.js"), &[]);
    assert_eq!(outcome.code, Some(2), "{outcome:?}");
    assert!(outcome.stderr.contains("nowhere.js"), "{outcome:?}");
}

#[test]
fn a_server_that_does_not_answer_is_named_with_its_variable() {
    let outcome = Bench::new(FAITHFUL).compare(&["-e", "BASE_URL=http://127.0.0.1:1"]);
    assert_eq!(outcome.code, Some(1), "{outcome:?}");
    assert!(
        outcome.stderr.contains("http://127.0.0.1:1") && outcome.stderr.contains("BASE_URL"),
        "{outcome:?}"
    );
}

#[test]
fn k6_is_kept_from_fetching_and_reporting_anything() {
    let run = format!(
        r#"echo "$K6_AUTO_EXTENSION_RESOLUTION $K6_NO_USAGE_REPORT $@" > "$(dirname "$0")/call"
{FAITHFUL}"#
    );
    let bench = Bench::new(&run);
    let outcome = bench.compare(&[
        "-e",
        "OWN=1",
        "--vus",
        "1",
        "--iterations",
        "2",
        "--",
        "--throw",
    ]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    let call = bench.read("call");
    assert!(call.starts_with("false true run "), "{call}");
    for words in [
        "-e OWN=1 ",
        "-e BASE_URL=http://127.0.0.1:",
        "--iterations 2 --throw",
    ] {
        assert!(call.contains(words), "{words} in {call}");
    }
}

#[test]
fn a_script_that_fails_in_both_is_no_difference() {
    let bench = Bench::new(FAITHFUL);
    std::fs::write(&bench.script, "throw new Error('init');").unwrap();
    let outcome = bench.compare(&[]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stdout.contains("exit code 107"), "{outcome:?}");
    assert!(
        outcome.stdout.contains("no request went to an address"),
        "{outcome:?}"
    );
}

#[test]
fn ctrl_c_ends_both_the_comparison_and_the_run() {
    let bench = Bench::new(
        r#"echo $$ > "$(dirname "$0")/pid.new"
mv "$(dirname "$0")/pid.new" "$(dirname "$0")/pid"; exec sleep 600"#,
    );
    let mut comparison = bench.start();
    while !bench.path("pid").exists() {
        assert_eq!(comparison.try_wait().unwrap(), None, "it ended too early");
        thread::sleep(Duration::from_millis(10));
    }
    let pid = libc::pid_t::try_from(comparison.id()).unwrap();
    // SAFETY: `kill` touches no memory, and the process is a child that was not waited for.
    assert_eq!(unsafe { libc::kill(pid, libc::SIGINT) }, 0);
    assert_eq!(comparison.wait().unwrap().code(), Some(130));
    let stand_in: libc::pid_t = bench.read("pid").trim().parse().unwrap();
    // SAFETY: signal 0 only asks whether the process is there.
    assert_eq!(unsafe { libc::kill(stand_in, 0) }, -1, "it still runs");
}
