//! The files that a report leaves.

use std::fs;

use bookstore_bench::report::{ReportError, write_all};

use crate::golden;

#[test]
fn all_files_are_written_and_come_out_the_same_again() {
    let session = golden::read("session");
    let folder = tempfile::tempdir().unwrap();
    let first = write_all(&session, folder.path()).unwrap();
    let names: Vec<&str> = first
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap())
        .collect();
    assert_eq!(names, ["results.md", "results.csv", "report.html"]);
    let contents: Vec<Vec<u8>> = first.iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(write_all(&session, folder.path()).unwrap(), first);
    let again: Vec<Vec<u8>> = first.iter().map(|path| fs::read(path).unwrap()).collect();
    assert_eq!(contents, again);
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        first.len(),
        "no draft stays behind"
    );
}

#[test]
fn a_file_that_cannot_be_replaced_is_named_and_no_draft_stays() {
    let folder = tempfile::tempdir().unwrap();
    let taken = folder.path().join("results.csv");
    fs::create_dir(&taken).unwrap();
    let error = write_all(&golden::read("repeats"), folder.path()).unwrap_err();
    let ReportError::Write { path, .. } = &error;
    assert_eq!(*path, taken.display().to_string());
    assert!(error.to_string().contains("--out"), "{error}");
    assert!(!folder.path().join("results.csv.part").exists());
}
