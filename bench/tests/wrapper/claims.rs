//! Claims and comparisons as a person meets them.

use std::{fs, path::Path};

use bookstore_bench::record::{ClaimVerdict, ClaimsRecord, Run, SessionState};

use crate::sitting::{Sitting, wrapper};

/// Two rows, six rounds: enough for intervals.
const BYTES: [&str; 9] = [
    "--id",
    "C12,C13,C29,C30,C34,C36,C38,C22,C50,C39",
    "--rounds",
    "6",
    "--driver",
    "load",
    "--no-noise-floor",
    "--seed",
    "5",
];

fn read(folder: &Path) -> ClaimsRecord {
    ClaimsRecord::read(&folder.join("claims.json")).unwrap()
}

fn runs(record: &ClaimsRecord) -> Vec<&Run> {
    record
        .sessions
        .iter()
        .flat_map(|session| &session.runs)
        .collect()
}

fn refused(arguments: &[&str], code: i32) -> String {
    let output = wrapper().args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn claims_are_measured_tried_and_written_down() {
    let root = tempfile::tempdir().unwrap();
    let end = Sitting::claims_in(root.path(), &BYTES).end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    assert!(
        end.stderr.contains("about "),
        "it says how long: {}",
        end.stderr
    );
    let record = read(root.path());
    assert_eq!(record.state, SessionState::Complete);
    assert_eq!(record.findings.len(), 10);
    for finding in &record.findings {
        let as_found = match finding.id.as_str() {
            // What bytes say is the same in every run.
            "C12" | "C13" => finding
                .parts
                .iter()
                .all(|part| part.ours.is_some_and(|ours| ours.low.is_some())),
            _ => finding.verdict == ClaimVerdict::Holds,
        };
        assert!(as_found, "{finding:?}");
        assert!(end.stdout.contains(&finding.id), "{}", end.stdout);
    }
    assert!(end.stdout.contains("async-graphql"), "the stack is named");

    let findings = root.path().join("docs/findings.md");
    let output = wrapper()
        .arg("report")
        .arg(root.path().join("claims.json"))
        .arg("--findings")
        .arg(&findings)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = fs::read_to_string(findings).unwrap();
    assert_eq!(
        text,
        fs::read_to_string(root.path().join("claims.md")).unwrap()
    );
    assert!(text.contains("To repeat it:") && text.contains("bookstore-bench claims"));

    let again = Sitting::claims_in(root.path(), &BYTES).end();
    assert_eq!(again.status.code(), Some(2), "{}", again.stderr);
    assert!(
        again
            .stderr
            .contains("already holds a complete claims.json"),
        "{}",
        again.stderr
    );
}

#[test]
fn a_killed_check_goes_on_without_losing_a_finished_run() {
    let root = tempfile::tempdir().unwrap();
    let mut killed = Sitting::claims_in(root.path(), &BYTES);
    killed.wait_until(|sitting| {
        ClaimsRecord::read(&sitting.out.join("claims.json"))
            .is_ok_and(|record| runs(&record).len() >= 3)
    });
    killed.signal(libc::SIGKILL);
    killed.end();
    let left = read(root.path());
    assert_eq!(left.state, SessionState::Running);
    let made = runs(&left).len();
    assert!(made >= 3);

    let other = [&BYTES[..8], &["6"]].concat();
    let end = Sitting::claims_in(root.path(), &other).end();
    assert_eq!(end.status.code(), Some(2), "{}", end.stderr);
    assert!(
        end.stderr.contains("other seed (5, now 6)"),
        "{}",
        end.stderr
    );
    let rounds = [&BYTES[..3], &["7"], &BYTES[4..]].concat();
    let end = Sitting::claims_in(root.path(), &rounds).end();
    assert!(
        end.stderr.contains("other rounds (6, now 7); "),
        "{}",
        end.stderr
    );
    let full = [&BYTES[..], &["--full"]].concat();
    let end = Sitting::claims_in(root.path(), &full).end();
    assert!(
        end.stderr.contains("other pace (quick, now full); "),
        "{}",
        end.stderr
    );
    assert_eq!(runs(&read(root.path())).len(), made);

    let end = Sitting::claims_in(root.path(), &BYTES).end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    assert!(
        end.stderr.contains(&format!("going on after {made} of ")),
        "{}",
        end.stderr
    );
    let whole = read(root.path());
    assert_eq!(whole.state, SessionState::Complete);
    let planned: usize = whole
        .sessions
        .iter()
        .map(|session| session.rows.len() * session.settings.rounds as usize)
        .sum();
    assert_eq!(runs(&whole).len(), planned);
    for run in runs(&left) {
        assert!(
            runs(&whole).contains(&run),
            "{} in round {} is lost",
            run.row,
            run.round
        );
    }
}

#[test]
fn ctrl_c_keeps_the_runs_and_shows_them() {
    let root = tempfile::tempdir().unwrap();
    let mut sitting = Sitting::claims_in(root.path(), &BYTES);
    sitting.wait_until(|sitting| {
        ClaimsRecord::read(&sitting.out.join("claims.json"))
            .is_ok_and(|record| !runs(&record).is_empty())
    });
    sitting.signal(libc::SIGINT);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(130), "{}", end.stderr);
    assert!(
        end.stdout.contains("Not complete: interrupted"),
        "{}",
        end.stdout
    );
    assert!(
        end.stderr.contains("to go on, repeat the command"),
        "{}",
        end.stderr
    );
    let record = read(root.path());
    assert_eq!(record.state, SessionState::Interrupted);
    let made = runs(&record).len();
    let said = format!("interrupted; {made} of ");
    assert!(end.stderr.contains(&said), "{}", end.stderr);
}

#[test]
fn a_record_that_nothing_can_go_on_from_is_named_and_kept() {
    let root = tempfile::tempdir().unwrap();
    let record = root.path().join("claims.json");
    for (text, reason) in [
        ("", "EOF while parsing"),
        (
            r#"{"schema": "bookstore-bench/claims/v1", "#,
            "EOF while parsing",
        ),
        (r#"{"a": 1}"#, "it names no schema"),
        (r#"{"schema": "bookstore-bench/claims/v9"}"#, "claims/v9"),
    ] {
        fs::write(&record, text).unwrap();
        let end = Sitting::claims_in(root.path(), &BYTES).end();
        assert_eq!(end.status.code(), Some(2), "{}", end.stderr);
        let start = format!("cannot go on from {}: ", record.display());
        for said in [&*start, reason, "another folder with --out"] {
            assert!(end.stderr.contains(said), "{said}: {}", end.stderr);
        }
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
    }
    let error = refused(&["report", &record.display().to_string()], 1);
    assert!(
        error.contains("this version reads \"bookstore-bench/claims/v1\""),
        "{error}"
    );
}

#[test]
fn the_list_names_every_claim_and_measures_nothing() {
    let output = wrapper().args(["claims", "--list"]).output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    for number in 1..=50 {
        assert!(text.contains(&format!("C{number:02}")), "C{number:02}");
    }
}

#[test]
fn results_are_compared_with_the_article_and_with_each_other() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/session.json");
    let output = wrapper()
        .args(["compare", "article", golden])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("Kendall") && text.contains("unpaired") && text.contains("L50-a-grpc"),
        "{text}"
    );
    let output = wrapper()
        .args(["compare", golden, golden])
        .output()
        .unwrap();
    assert!(output.status.success());
}

#[test]
fn what_cannot_be_checked_or_compared_is_refused() {
    assert!(refused(&["claims", "--id", "C77"], 2).contains("no claim \"C77\""));
    assert!(refused(&["claims", "--source", "blog"], 2).contains("the sources are article"));
    assert!(refused(&["compare", "article", "nowhere.json"], 1).contains("nowhere.json"));
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("results.json");
    fs::write(&file, "{\"schema\": \"else\"}").unwrap();
    let file = file.to_str().unwrap();
    assert!(refused(&["compare", file, "article"], 1).contains("has schema \"else\""));
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/session.json");
    let findings = root.path().join("findings.md");
    let findings = findings.to_str().unwrap();
    assert!(refused(&["report", golden, "--findings", findings], 1).contains("claims/v1"));
}
