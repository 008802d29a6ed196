//! The compiled clients over TLS, against the product's own server.

use std::path::{Path, PathBuf};

use bookstore_bench::{
    catalogue::{Catalogue, Cell, Style},
    load::{LoadError, run_until},
    record::LoadSummary,
    target::{Target, TargetOptions},
};
use tempfile::TempDir;

use crate::{only_reason, plain_args};

const BENCH: &str = env!("CARGO_BIN_EXE_bookstore-bench");

/// A server in TLS, with the certificate that it made.
struct Encrypted {
    target: Target,
    certificate: PathBuf,
    _folder: TempDir,
}

fn encrypted(flags: &[&str]) -> Encrypted {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.pem");
    let options = TargetOptions {
        certificate: Some(certificate.clone()),
        extra_arguments: flags.iter().map(Into::into).collect(),
        ..TargetOptions::with_workers(1)
    };
    Encrypted {
        target: Target::spawn(Path::new(BENCH), &options).unwrap(),
        certificate,
        _folder: folder,
    }
}

fn plain(flags: &[&str]) -> Target {
    let options = TargetOptions {
        extra_arguments: flags.iter().map(Into::into).collect(),
        ..TargetOptions::with_workers(1)
    };
    Target::spawn(Path::new(BENCH), &options).unwrap()
}

fn drive(line: &str, target: &Target, certificate: Option<&Path>) -> LoadSummary {
    let (scheme, trust) = match certificate {
        None => ("http", String::new()),
        Some(path) => ("https", format!(" -e TLS_TRUST={}", path.display())),
    };
    let line = format!(
        "{line} -e BASE_URL={scheme}://{} -e GRPC_ADDR={}{trust}",
        target.http_address(),
        target.h2c_address()
    );
    run_until(&plain_args(&line), std::future::pending()).unwrap()
}

impl Encrypted {
    fn drive(&self, line: &str) -> LoadSummary {
        drive(line, &self.target, Some(&self.certificate))
    }
}

#[test]
fn every_cell_makes_the_same_operations_in_tls_and_only_the_wire_has_more_bytes() {
    let (secret, open) = (encrypted(&[]), plain(&[]));
    let cells = Catalogue::built_in().cells.into_iter();
    let cells: Vec<Cell> = cells
        .filter(|cell| cell.server.is_empty() && cell.connections_per_vu > 0)
        .filter(|cell| cell.same_as.is_none() && cell.scenario != "q.cost")
        .collect();
    assert!(cells.len() > 25, "{}", cells.len());
    for cell in cells {
        let line = format!("{} -u 1 --workers 1 -i 2 -e CALLS=2", cell.id);
        let (secret, open) = (secret.drive(&line), drive(&line, &open, None));
        let id = &cell.id;
        assert_eq!(
            (secret.operations, secret.failed_operations),
            (2, 0),
            "{id}: {:?}",
            secret.failures
        );
        assert_eq!(secret.requests, open.requests, "{id}");
        assert_eq!(secret.connections, open.connections, "{id}");
        assert_eq!(
            (secret.sent_body_bytes, secret.received_body_bytes),
            (open.sent_body_bytes, open.received_body_bytes),
            "{id}"
        );
        // What the kernel counts is counted: the encrypted bytes, handshake included.
        assert!(secret.sent_bytes > open.sent_bytes, "{id}");
        assert!(secret.received_bytes > open.received_bytes, "{id}");
        let counted = (Some(secret.sent_bytes), Some(secret.received_bytes));
        let of_kernel = (secret.kernel_sent_bytes, secret.kernel_received_bytes);
        assert_eq!(counted, of_kernel, "{id}");
    }
}

#[test]
fn what_can_change_to_http_2_makes_the_same_operations_there_in_tls_and_without() {
    let flags = ["--rest-h2c", "on"];
    let (secret, open) = (encrypted(&flags), plain(&flags));
    let cells = Catalogue::built_in().cells.into_iter();
    let cells = cells.filter(|cell| cell.http2 && cell.style != Style::GraphQl);
    let cells: Vec<Cell> = cells.filter(|cell| cell.same_as.is_none()).collect();
    assert!(cells.len() >= 10, "{}", cells.len());
    for Cell { id, .. } in cells {
        let line = format!("{id} -u 1 --workers 1 -i 3 -e CALLS=2");
        let over_1 = drive(&line, &open, None);
        let line = format!("{line} -e HTTP_VERSION=2");
        let (secret, open) = (secret.drive(&line), drive(&line, &open, None));
        for summary in [&secret, &open] {
            let counts = (summary.operations, summary.failed_operations);
            assert_eq!(counts, (3, 0), "{id}: {:?}", summary.failures);
            assert_eq!(summary.connections, Some(1), "{id}");
            assert_eq!(summary.requests, over_1.requests, "{id}");
            assert_eq!(
                (summary.sent_body_bytes, summary.received_body_bytes),
                (over_1.sent_body_bytes, over_1.received_body_bytes),
                "{id}"
            );
        }
        assert!(secret.received_bytes > open.received_bytes, "{id}");
        assert_ne!(open.sent_bytes, over_1.sent_bytes, "{id}");
    }
}

#[test]
fn a_new_connection_for_each_operation_shakes_hands_anew_in_full() {
    let server = encrypted(&[]);
    let bytes = |operations: u32| {
        let line = format!("g-hello-rest -u 1 --workers 1 -i {operations} -e CONNECTION=new");
        let summary = server.drive(&line);
        assert_eq!(
            summary.operations,
            u64::from(operations),
            "{:?}",
            summary.failures
        );
        assert_eq!(summary.connections, Some(u64::from(operations)));
        summary.received_bytes
    };
    let (one, four) = (bytes(1), bytes(4));
    // A resumed session has no certificate in it, and so some hundred bytes less. A signature has a
    // byte or two more or less.
    assert!(four.abs_diff(4 * one) < 40, "{four} for {one}");
}

#[test]
fn another_certificate_or_no_tls_is_a_failed_operation_that_says_so() {
    let (server, other, open) = (encrypted(&[]), encrypted(&[]), plain(&[]));
    let line = "g-hello-rest -u 1 --workers 1 -i 1";
    let summary = drive(line, &server.target, Some(&other.certificate));
    let reason = only_reason(&summary, 1);
    assert!(reason.contains("invalid peer certificate"), "{reason}");
    let summary = drive(line, &open, Some(&other.certificate));
    let reason = only_reason(&summary, 1);
    assert!(reason.contains("cannot connect"), "{reason}");
    let summary = drive(line, &server.target, None);
    let reason = only_reason(&summary, 1);
    assert!(reason.contains("the connection to"), "{reason}");
}

#[test]
fn scheme_and_certificate_go_together() {
    let server = encrypted(&[]);
    let run = |variables: &str| -> LoadError {
        let line = format!("a-rest -i 1 {variables}");
        run_until(&plain_args(&line), std::future::pending()).unwrap_err()
    };
    let trust = format!("-e TLS_TRUST={}", server.certificate.display());
    for (variables, named) in [
        ("-e BASE_URL=https://127.0.0.1:1".to_owned(), "TLS_TRUST"),
        (
            format!("{trust} -e BASE_URL=http://127.0.0.1:1"),
            "https://",
        ),
        ("-e TLS_TRUST=/no/such.pem".to_owned(), "/no/such.pem"),
    ] {
        let error = run(&variables);
        assert!(error.to_string().contains(named), "{error}");
        assert!(error.is_usage(), "{error}");
    }
}

#[test]
fn a_token_is_fetched_in_tls() {
    let server = encrypted(&[
        "--expenses",
        "memory",
        "--expenses-users",
        "5",
        "--expenses-count",
        "9",
    ]);
    let token = server.target.log_in().unwrap();
    assert!(token.len() > 20, "{token}");
    assert!(server.target.sql_use().unwrap().unwrap().statements > 0.0);
    let summary = server.drive("e-users-rest -u 1 --workers 1 -i 1");
    assert_eq!(summary.requests, 1, "{:?}", summary.failures);
    assert!(
        !format!("{:?}", summary.failures).contains("401"),
        "{:?}",
        summary.failures
    );
}
