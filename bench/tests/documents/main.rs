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
    sync::Mutex,
    thread,
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

/// Commands that are tried at once; most of them wait.
const AT_ONCE: usize = 4;

#[test]
fn every_command_of_the_documents_works() {
    let mut commands = Vec::new();
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        commands.extend(
            shown_commands(&text)
                .into_iter()
                .map(|line| (document.clone(), line)),
        );
    }
    assert!(
        commands.len() > 10,
        "only {} commands were found",
        commands.len()
    );
    let (queue, problems) = (Mutex::new(commands), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((document, line)) = queue.lock().unwrap().pop() else {
                        return;
                    };
                    let outcome =
                        Command::read(&line).and_then(|command| exercise::exercise(&command));
                    if let Err(problem) = outcome {
                        let problem = format!("{}: `{line}`: {problem}", document.display());
                        problems.lock().unwrap().push(problem);
                    }
                }
            });
        }
    });
    let problems = problems.into_inner().unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
