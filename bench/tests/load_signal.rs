//! SIGINT and SIGTERM end a run early and leave its summary. A process of its own: a signal
//! reaches every run in it.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{Read, Write},
    net::TcpListener,
    process::{self, Command, ExitCode},
    thread,
};

use bookstore_bench::{
    load::{LoadArgs, LoadCommand, execute},
    record::LoadSummary,
};
use clap::Parser;

#[derive(Debug, Parser)]
struct Cli {
    #[command(flatten)]
    args: LoadArgs,
}

/// Answers good reservations on one connection and sends the signal with the tenth.
fn serve(listener: &TcpListener, signal: &str) {
    let body = r#"{"reservationId":"r","orderId":"ord-1","expiresAt":"t"}"#;
    let answer = format!(
        "HTTP/1.1 201 Created\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let (mut stream, _) = listener.accept().unwrap();
    let mut buffer = [0; 4096];
    for request in 0.. {
        match stream.read(&mut buffer) {
            Ok(1..) if stream.write_all(answer.as_bytes()).is_ok() => {}
            _ => break,
        }
        if request == 10 {
            let process = process::id().to_string();
            let sent = Command::new("kill").args(["-s", signal, &process]).status();
            assert!(sent.unwrap().success());
        }
    }
}

#[test]
fn a_signal_ends_the_run_with_k6s_exit_code_and_a_summary() {
    for signal in ["INT", "TERM"] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let target = listener.local_addr().unwrap();
        let server = thread::spawn(move || serve(&listener, signal));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("summary.json");
        let line = format!(
            "load a-rest -u 1 -d 10m -q -e BASE_URL=http://{target} -e BENCH_SUMMARY={}",
            file.display()
        );
        let args = Cli::try_parse_from(line.split(' ')).unwrap().args;
        let code = execute(&LoadCommand::Run(args)).unwrap();
        server.join().unwrap();
        assert_eq!(format!("{code:?}"), format!("{:?}", ExitCode::from(105)));
        let summary: LoadSummary = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
        assert!(summary.operations >= 10, "{summary:?}");
        assert_eq!(summary.failed_operations, 0);
        assert!(summary.elapsed_s < 600.0);
    }
}
