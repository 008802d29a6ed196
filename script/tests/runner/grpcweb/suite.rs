//! The gRPC-Web scripts of `k6/` that use `k6/x/grpcweb` run unchanged against the real server.

use std::path::PathBuf;

use serde_json::Value;

use crate::{grpc::Bookstore, outcome::run};

#[test]
fn every_grpc_web_script_passes_its_checks() {
    let bookstore = Bookstore::start();
    for (name, lines) in [("a-grpcweb", "2"), ("a-grpcweb", "50"), ("b-grpcweb", "2")] {
        let directory = tempfile::tempdir().unwrap();
        let contract = directory.path().join("summary.json");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../k6/{name}.js"));
        let arguments = [
            path.to_str().unwrap().to_owned(),
            "--iterations=40".to_owned(),
            "--vus=4".to_owned(),
            format!("--env=LINES={lines}"),
            format!("--env=BASE_URL=http://{}", bookstore.addresses.http1),
            format!("--env=BENCH_SUMMARY={}", contract.display()),
        ];
        let outcome = run(&arguments, &[]);
        assert_eq!(outcome.exit_code, 0, "{outcome:?}");
        assert_eq!(outcome.stderr, "", "{name}");
        let summary = std::fs::read_to_string(contract).unwrap();
        let summary: Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary["script"], name);
        assert_eq!(summary["operations"], 40, "{name}: {outcome:?}");
        assert_eq!(summary["failed_operations"], 0, "{name}");
        assert_eq!(summary["requests"], 40, "{name}");
        let bytes = |key: &str| summary[key].as_u64().unwrap();
        assert!(bytes("sent_bytes") > 40 * 100, "{summary}");
        assert!(bytes("received_bytes") > 40 * 100, "{summary}");
    }
}

#[test]
fn the_extensions_example_passes_its_checks() {
    let bookstore = Bookstore::start();
    let directory = tempfile::tempdir().unwrap();
    let export = directory.path().join("export.json");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../xk6-grpcweb/examples/reserve.js");
    let arguments = [
        path.to_str().unwrap().to_owned(),
        format!("--env=GRPCWEB_ADDR={}", bookstore.addresses.http1),
        format!("--summary-export={}", export.display()),
    ];
    let outcome = run(&arguments, &[]);
    let summary = std::fs::read_to_string(export).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    // The example's threshold of time is none of this test's business.
    let metrics = &summary["metrics"];
    assert_eq!(metrics["checks"]["passes"], 60, "{outcome:?}");
    assert_eq!(metrics["checks"]["fails"], 0, "{outcome:?}");
    assert_eq!(metrics["grpcweb_reqs"]["count"], 60, "{metrics}");
    assert_eq!(metrics["grpcweb_req_failed"]["passes"], 20, "{metrics}");
}
