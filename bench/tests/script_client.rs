//! The pure-JS gRPC-Web client, run by the embedded runner against the real server.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{path::Path, process::Command};

use bookstore_bench::target::{Target, TargetOptions};

const BENCH: &str = env!("CARGO_BIN_EXE_bookstore-bench");

/// What `script run` prints for the script of the client, with one more variable.
fn run(server: &Target, variable: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../k6/smoke-grpcweb.js");
    let output = Command::new(BENCH)
        .args(["script", "run"])
        .arg(script)
        .args(["-e", &format!("BASE_URL=http://{}", server.http_address())])
        .args(["-e", variable])
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}{stderr}");
    assert_eq!(stderr, "", "{stdout}");
    stdout
}

#[test]
fn the_pure_js_client_calls_the_server_in_binary_in_text_and_by_reflection() {
    let server = Target::spawn(Path::new(BENCH), &TargetOptions::with_workers(1)).unwrap();
    for variable in ["TEXT=0", "TEXT=1", "REFLECT=1"] {
        let summary = run(&server, variable);
        assert!(summary.contains("100.00% 27 out of 27"), "{summary}");
    }
}
