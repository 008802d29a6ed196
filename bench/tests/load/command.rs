//! The process's own part: the summary file and errors before the run.

use std::{fs, net::SocketAddr};

use bookstore_bench::{
    load::{LoadCommand, LoadError, execute},
    record::{LOAD_CONTRACT, LoadSummary},
};

use crate::{
    args,
    server::{Server, bookstore},
};

fn run(line: &str, target: SocketAddr) -> Result<(), LoadError> {
    execute(&LoadCommand::Run(args(line, target))).map(drop)
}

#[test]
fn the_summary_is_left_whole_and_alone() {
    let server = Server::http(bookstore);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("summary.json");
    let line = format!("a-rest -u 1 -i 3 -q -e BENCH_SUMMARY={}", file.display());
    run(&line, server.address).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    let summary: LoadSummary = serde_json::from_str(&text).unwrap();
    assert_eq!(summary.contract, LOAD_CONTRACT);
    assert_eq!(summary.engine.name, "load");
    assert_eq!((summary.operations, summary.lines), (3, Some(2)));
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
}

#[test]
fn a_folder_that_is_not_there_is_named_before_any_request() {
    let server = Server::http(|ask| panic!("{ask:?} was sent"));
    let line = "a-rest -u 1 -i 3 -q -e BENCH_SUMMARY=/nowhere/at/all/summary.json";
    let error = run(line, server.address).unwrap_err().to_string();
    assert!(error.contains("/nowhere/at/all/summary.json"), "{error}");
    assert!(error.contains("BENCH_SUMMARY"), "{error}");
}

#[test]
fn a_host_that_does_not_exist_is_named() {
    let target = SocketAddr::from(([127, 0, 0, 1], 1));
    let mut args = args("a-rest -u 1 -i 1 -q", target);
    args.variables
        .push("BASE_URL=http://no-such-host.invalid:5300".parse().unwrap());
    let error = execute(&LoadCommand::Run(args)).unwrap_err().to_string();
    assert!(error.contains("no-such-host.invalid:5300"), "{error}");
}
