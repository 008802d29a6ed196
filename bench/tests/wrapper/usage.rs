//! What cannot be measured is refused before anything starts, with exit code 2.

use crate::sitting::wrapper;

fn refused(flags: &[&str]) -> String {
    let output = wrapper().args(flags).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{flags:?}: {stderr}");
    assert!(output.stdout.is_empty());
    stderr
}

#[test]
fn an_unknown_cell_is_named_with_the_known_ones() {
    let message = refused(&["--cells", "a-soap"]);
    assert!(
        message.contains("unknown cell \"a-soap\"; the cells are a-rest, a-grpc"),
        "{message}"
    );
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    refused(&["--celsl", "a-rest"]);
}

#[test]
fn a_negative_number_is_a_bad_value_and_no_unknown_flag() {
    for (flags, said) in [
        (["--rounds", "-1"], "invalid value '-1' for '--rounds"),
        (["--vus", "-5"], "invalid value '-5' for '--vus"),
        (["--lines", "-2"], "invalid value '-2' for '--lines"),
        (
            ["--rate", "-1.5"],
            "`-1.5` is no rate; give 0.1 to 10000000",
        ),
    ] {
        let message = refused(&flags);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn load_and_serve_call_their_usage_errors_so_too() {
    for (flags, said) in [
        (&["load", "run", "k6/a-soap.js"][..], "k6/a-soap.js"),
        (
            &["load", "run", "k6/a-rest.js", "-e", "LINES=no"],
            "LINES=no",
        ),
        (
            &["load", "run", "k6/a-rest.js", "--timeout", "0s"],
            "--timeout",
        ),
        (
            &["serve", "--http-port", "5300", "--h2c-port", "5300"],
            "5300",
        ),
        (&["serve", "--http-port", "-1"], "from 0 to 65535"),
    ] {
        let message = refused(flags);
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_duration_that_is_none_is_a_usage_error() {
    let message = refused(&["--duration", "soon"]);
    assert!(message.contains("soon"), "{message}");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_before_the_first_run() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = file.join("below");
    let message = refused(&["--out", below.to_str().unwrap()]);
    assert!(
        message.contains("choose another folder with --out"),
        "{message}"
    );
}

#[test]
fn results_are_never_overwritten() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("results.json"), "{}").unwrap();
    let message = refused(&["--out", root.path().to_str().unwrap()]);
    assert!(
        message.contains("already holds a results.json"),
        "{message}"
    );
}

#[test]
fn a_report_of_something_else_says_so() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("other.json");
    std::fs::write(&file, "{\"schema\": \"x\"}").unwrap();
    let output = wrapper()
        .args(["report", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains("has schema \"x\""), "{message}");
}
