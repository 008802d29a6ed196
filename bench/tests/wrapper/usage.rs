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
