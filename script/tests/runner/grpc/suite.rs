//! The gRPC scripts of `k6/` run unchanged against the real server.

use std::path::PathBuf;

use serde_json::Value;

use super::Grpc;
use crate::outcome::run;

#[test]
fn every_grpc_script_passes_its_checks() {
    let grpc = Grpc::start();
    for name in ["a-grpc", "b-grpc"] {
        let directory = tempfile::tempdir().unwrap();
        let contract = directory.path().join("summary.json");
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../k6/{name}.js"));
        let mut arguments = vec![
            path.to_str().unwrap().to_owned(),
            "--iterations=40".to_owned(),
            "--vus=4".to_owned(),
            format!("--env=BENCH_SUMMARY={}", contract.display()),
        ];
        arguments.extend(grpc.arguments());
        let outcome = run(&arguments, &[]);
        assert_eq!(outcome.exit_code, 0, "{outcome:?}");
        assert_eq!(outcome.stderr, "", "{name}");
        let summary = std::fs::read_to_string(contract).unwrap();
        let summary: Value = serde_json::from_str(&summary).unwrap();
        assert_eq!(summary["operations"], 40, "{name}: {outcome:?}");
        assert_eq!(summary["failed_operations"], 0, "{name}");
        assert_eq!(summary["requests"], 40, "{name}");
        assert!(
            summary["sent_bytes"].as_u64().unwrap() > 40 * 20,
            "{summary}"
        );
        assert!(
            summary["received_bytes"].as_u64().unwrap() > 40 * 20,
            "{summary}"
        );
    }
}

#[test]
fn without_the_wrapper_the_script_reads_the_servers_cpu() {
    let grpc = Grpc::start();
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../k6/b-grpc.js");
    let mut arguments = vec![
        path.to_str().unwrap().to_owned(),
        "-i4".to_owned(),
        format!("-eBASE_URL=http://{}", grpc.bookstore.addresses.http1),
    ];
    arguments.extend(grpc.arguments());
    let outcome = run(&arguments, &[]);
    assert_eq!(outcome.exit_code, 0, "{outcome:?}");
    assert!(outcome.stdout.contains("server "), "{}", outcome.stdout);
}
