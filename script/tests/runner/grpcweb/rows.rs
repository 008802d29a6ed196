//! The tables that every gRPC-Web client of this repository must agree with.

use std::{collections::HashMap, io::Read, path::PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;

use super::server::{Reply, Seen, Server};
use crate::outcome::{Outcome, run};

const RESPONSES: &str = include_str!("../../../../xk6-grpcweb/testdata/grpc-web-responses.json");
const REQUESTS: &str = include_str!("../../../../xk6-grpcweb/testdata/grpc-web-requests.json");

fn rows(table: &str) -> Vec<Value> {
    serde_json::from_str(table).unwrap()
}

fn bytes_of(hex: &str) -> Vec<u8> {
    let digits = hex.as_bytes().chunks(2);
    digits
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// Runs a script of `tests/grpcweb/` against a server; its checks are in the summary.
fn run_script(name: &str, server: &Server) -> (Outcome, Value) {
    let scripts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/grpcweb");
    let directory = tempfile::tempdir().unwrap();
    let export = directory.path().join("export.json");
    let arguments = [
        scripts.join(name).to_str().unwrap().to_owned(),
        format!("-eHTTP1={}", server.http1),
        format!("-eH2C={}", server.h2c),
        format!("--summary-export={}", export.display()),
    ];
    let outcome = run(&arguments, &[]);
    let summary = std::fs::read_to_string(export).unwrap_or_default();
    let summary = serde_json::from_str(&summary).unwrap_or(Value::Null);
    (outcome, summary)
}

fn reply(row: &Value) -> Reply {
    let mut headers = vec![(
        "content-type".to_owned(),
        row["ct"].as_str().unwrap().to_owned(),
    )];
    for (name, value) in row["headers"].as_object().into_iter().flatten() {
        headers.push((name.clone(), value.as_str().unwrap().to_owned()));
    }
    let mut body = bytes_of(row["body"].as_str().unwrap());
    let mut pieces = Vec::new();
    for size in row["chunks"].as_array().into_iter().flatten() {
        let size = usize::try_from(size.as_u64().unwrap()).unwrap();
        let rest = body.split_off(size);
        pieces.push(std::mem::replace(&mut body, rest));
    }
    pieces.push(body);
    Reply {
        status: row["http"].as_u64().unwrap().try_into().unwrap(),
        headers,
        pieces,
    }
}

#[test]
fn every_known_answer_is_understood() {
    let rows = rows(RESPONSES);
    let count = rows.len();
    assert!(count >= 69, "only {count} rows");
    let by_id: HashMap<String, Reply> = rows
        .iter()
        .map(|row| (row["id"].as_str().unwrap().to_owned(), reply(row)))
        .collect();
    let server = Server::start(move |seen| by_id[seen.header("x-row")].clone());
    let (outcome, summary) = run_script("responses.js", &server);
    assert_eq!((outcome.exit_code, outcome.stderr.as_str()), (0, ""));
    let checks = &summary["metrics"]["checks"];
    // Over both versions of HTTP, asked for in both formats.
    assert_eq!(checks["passes"], 4 * count, "{checks}");
    assert_eq!(checks["fails"], 0);
}

#[test]
fn every_request_is_sent_as_it_must_be() {
    let server = Server::start(|_| Reply {
        status: 200,
        headers: vec![
            (
                "content-type".to_owned(),
                "application/grpc-web+proto".to_owned(),
            ),
            ("grpc-status".to_owned(), "5".to_owned()),
        ],
        pieces: Vec::new(),
    });
    let (outcome, summary) = run_script("requests.js", &server);
    assert_eq!((outcome.exit_code, outcome.stderr.as_str()), (0, ""));
    let rows = rows(REQUESTS);
    assert_eq!(summary["metrics"]["checks"]["passes"], 2 * rows.len());
    let mut seen: HashMap<String, Vec<Seen>> = HashMap::new();
    for request in server.seen() {
        let row = request.header("x-row").to_owned();
        seen.entry(row).or_default().push(request);
    }
    for row in rows {
        let id = row["id"].as_str().unwrap();
        let requests = seen.remove(id).unwrap_or_default();
        check_requests(id, &row["expect"], &requests);
    }
}

fn check_requests(id: &str, expected: &Value, requests: &[Seen]) {
    if expected["refused"].is_string() {
        assert!(requests.is_empty(), "{id}: {requests:?}");
        return;
    }
    if let Some(timeout) = expected["grpc_timeout"].as_str() {
        // The shortest pass before anything is sent.
        for request in requests {
            assert_eq!(request.header("grpc-timeout"), timeout, "{id}");
        }
        return;
    }
    assert_eq!(requests.len(), 2, "{id}: once over each version of HTTP");
    for request in requests {
        for (name, value) in expected["headers"].as_object().into_iter().flatten() {
            assert_eq!(request.header(name), value, "{id}: {name}");
        }
        if let Some(body) = expected["body"].as_str() {
            assert_eq!(request.body, bytes_of(body), "{id}");
        }
        if let Some(message) = expected["inflated"].as_str() {
            assert_eq!(inflated(&request.body), bytes_of(message), "{id}");
        }
    }
}

/// The content of a body that is one compressed frame.
fn inflated(body: &[u8]) -> Vec<u8> {
    let ([flags, length @ ..], content) = body.split_first_chunk::<5>().unwrap();
    assert_eq!(*flags, 1);
    assert_eq!(u32::from_be_bytes(*length) as usize, content.len());
    let mut inflated = Vec::new();
    GzDecoder::new(content).read_to_end(&mut inflated).unwrap();
    inflated
}
