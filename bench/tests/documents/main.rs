//! Every command line that the documents show is tried, so that none of them can go stale.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod command;
mod document;
mod exercise;
#[path = "../short/mod.rs"]
mod short;

use std::{
    fs,
    path::{Path, PathBuf},
};

use command::Command;
use document::shown_commands;

/// Top folder of the repository.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// The documents for people: those at the top, those of `docs/`, and that of the k6 scripts.
fn documents() -> Vec<PathBuf> {
    let top = top();
    let mut documents = vec![
        top.join("README.md"),
        top.join("CONTRIBUTING.md"),
        top.join("k6/README.md"),
    ];
    for entry in fs::read_dir(top.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            documents.push(path);
        }
    }
    documents
}

#[test]
fn every_command_of_the_documents_works() {
    let mut tried = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for line in shown_commands(&text) {
            let outcome = Command::read(&line).and_then(|command| exercise::exercise(&command));
            if let Err(problem) = outcome {
                panic!("{}: `{line}`: {problem}", document.display());
            }
            tried += 1;
        }
    }
    assert!(tried > 10, "only {tried} commands were found");
}
