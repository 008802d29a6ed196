//! What is printed arrives as it was asked for, and an output that takes nothing is no reason to
//! panic.

use std::{fs::OpenOptions, path::PathBuf, process::Stdio};

use crate::sitting::wrapper;

fn golden() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/session.json");
    path.to_str().unwrap().to_owned()
}

fn report(color: &str) -> String {
    let output = wrapper()
        .args(["report", &golden(), "--color", color])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn colours_are_for_terminals_unless_always_asked_for() {
    assert!(report("always").contains("\u{1b}["));
    assert!(!report("never").contains('\u{1b}'));
    assert!(!report("auto").contains('\u{1b}'), "a pipe is no terminal");
}

#[test]
fn a_full_disk_under_standard_output_is_an_error_in_words() {
    for arguments in [&["report", &golden()][..], &["doctor"], &["schema"]] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = wrapper().args(arguments).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(
            message.starts_with("error: cannot write to standard output"),
            "{arguments:?}: {message}"
        );
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = wrapper()
        .arg("schema")
        .stdout(writer)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}
