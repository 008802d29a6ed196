//! The HTTP scripts of `k6/` run unchanged, with every check passed and the contract kept.

use std::path::PathBuf;

use crate::{
    bookstore::bookstore,
    outcome::{Outcome, run},
    server::{Server, reply, serve},
};
use script_runner::engine;
use serde_json::Value;

fn script(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../k6/{name}.js"));
    path.to_str().unwrap().to_owned()
}

fn run_suite(server: &Server, name: &str, more: &[&str]) -> (Outcome, Value) {
    let directory = tempfile::tempdir().unwrap();
    let contract = directory.path().join("summary.json");
    let mut arguments = vec![
        script(name),
        "--iterations=40".to_owned(),
        "--vus=4".to_owned(),
        format!("--env=BASE_URL={}", server.base_url),
        format!("--env=BENCH_SUMMARY={}", contract.display()),
    ];
    arguments.extend(more.iter().map(ToString::to_string));
    let outcome = run(&arguments, &[]);
    assert_eq!(outcome.exit_code, 0, "{outcome:?}");
    let summary = std::fs::read_to_string(contract).unwrap();
    (outcome, serde_json::from_str(&summary).unwrap())
}

#[test]
fn every_http_script_passes_its_checks() {
    let server = serve(bookstore);
    for (name, requests_per_op) in [
        ("a-rest", 1),
        ("a-graphql", 1),
        ("a-grpcweb-http", 1),
        ("b-rest", 4),
        ("b-rest-bff", 1),
        ("b-grpcweb-http", 1),
        ("b-graphql", 1),
        ("a-graphql-hash", 1),
        ("a-graphql-id", 1),
        ("b-rest-fields", 4),
        ("b-rest-etag", 4),
        ("b-rest-max-age", 4),
        ("b-graphql-hash", 1),
        ("b-graphql-id", 1),
        ("b-graphql-get", 1),
        ("b-graphql-max-age", 1),
    ] {
        let (outcome, summary) = run_suite(&server, name, &[]);
        assert_eq!(
            summary["contract"], "bookstore-bench/load-summary/v1",
            "{name}"
        );
        assert_eq!(summary["engine"]["name"], "script");
        let version = format!("{} ({})", env!("CARGO_PKG_VERSION"), engine::version());
        assert_eq!(summary["engine"]["version"], version);
        assert_eq!(summary["script"], name);
        assert_eq!(summary["operations"], 40, "{name}: {outcome:?}");
        assert_eq!(summary["failed_operations"], 0, "{name}");
        assert_eq!(summary["requests"], 40 * requests_per_op, "{name}");
        assert!(summary["latency"]["p50_ms"].as_f64().unwrap() > 0.0);
        assert!(outcome.stdout.contains(name), "{}", outcome.stdout);
        assert_eq!(outcome.stderr, "", "{name}");
    }
}

#[test]
fn bytes_on_the_wire_are_those_of_the_requests() {
    let server = serve(bookstore);
    let (_, summary) = run_suite(
        &server,
        "a-rest",
        &["--env=LINES=2", "--user-agent=agent/1"],
    );
    let host = server.base_url.strip_prefix("http://").unwrap();
    let head = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: {host}\r\nUser-Agent: agent/1\r\n\
         Content-Length: 105\r\nContent-Type: application/json\r\n\r\n"
    );
    assert_eq!(summary["sent_bytes"], 40 * (head.len() + 105));
}

#[test]
fn a_wrong_answer_is_a_failed_operation() {
    let server = serve(|_| async { reply(500, "text/plain", "broken") });
    let (outcome, summary) = run_suite(&server, "a-rest", &[]);
    assert_eq!(summary["operations"], 0);
    assert_eq!(summary["failed_operations"], 40);
    assert!(outcome.stdout.contains("40 FAILED"), "{}", outcome.stdout);
}

#[test]
fn without_the_wrapper_the_script_reads_the_servers_cpu() {
    let server = serve(bookstore);
    let arguments = [
        script("b-rest-bff"),
        "-i4".to_owned(),
        format!("-eBASE_URL={}", server.base_url),
    ];
    let outcome = run(&arguments, &[]);
    assert_eq!(outcome.exit_code, 0, "{outcome:?}");
    assert!(
        outcome.stdout.contains("1.00 requests/op"),
        "{}",
        outcome.stdout
    );
}

#[test]
fn a_variable_that_cannot_be_used_is_named_with_the_remedy() {
    for (variable, remedy) in [
        ("RATE=fast", "give operations per second above 0"),
        ("RATE=-1", "give operations per second above 0"),
        ("VUS=2.5", "give a whole number from 1 on"),
        ("THRESHOLDS={bad", "give a JSON object"),
    ] {
        let outcome = run(&[script("a-rest"), format!("-e{variable}")], &[]);
        assert_eq!(outcome.exit_code, 107, "{outcome:?}");
        let said = format!("{variable} cannot be used; {remedy}");
        assert!(outcome.stderr.contains(&said), "{outcome:?}");
    }
}
