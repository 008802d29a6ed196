//! The embedded runner and the compiled clients do the same work: for a fixed number of operations
//! they send the same headers, and agree on requests, checks and body bytes, on every HTTP/1.1 byte,
//! and within 2 % on the bytes of HTTP/2, whose connections each open with some settings. In TLS this is
//! so of what is encrypted, and the encrypted bytes differ by the handshakes alone.
//!
//! A recorder stands between driver and server, so that nobody's own count has to be believed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bench;
mod http1;
mod http2;
mod recorder;
mod seal;
mod traffic;

use std::collections::BTreeMap;

use bench::{Bench, Done, Driver, Wire, Work};
use bookstore_bench::catalogue::{Catalogue, Cell, Style};

/// How far apart bytes of HTTP/2 may be, in percent.
const HTTP2_TOLERANCE: u64 = 2;

/// Bytes of TLS by which one connection may differ from another: the scripts' offers HTTP/2 too, a signature
/// has a byte or two more or less, and who leaves in a hurry misses a farewell.
const HANDSHAKE_TOLERANCE: u32 = 32;

/// Every cell that has a compiled client of its own, in scenario a with 2 and with 50 lines. The client
/// that stands in for the extension's cells leaves out the extension's `X-User-Agent`.
fn cells(catalogue: &Catalogue) -> Vec<(&Cell, Option<u32>)> {
    let mut cells = Vec::new();
    let own = |cell: &&Cell| cell.same_as.is_none() && cell.script.is_some();
    for cell in catalogue.cells.iter().filter(own) {
        match &*catalogue.scenario_of(cell).unwrap().lines {
            [] => cells.push((cell, None)),
            lines => cells.extend(lines.iter().map(|&lines| (cell, Some(lines)))),
        }
    }
    cells
}

fn compare(vus: u32, operations: u32, on: Wire) {
    let catalogue = Catalogue::built_in();
    let cells = cells(&catalogue);
    assert!(!cells.is_empty());
    let mut benches: BTreeMap<_, Bench> = BTreeMap::new();
    for (cell, lines) in cells {
        if lives_on_its_cache(cell) && vus > 1 {
            // Which virtual users have a cache to fill depends on who takes how many operations.
            continue;
        }
        let bench = benches
            .entry(&cell.server)
            .or_insert_with_key(|flags| Bench::with_flags(flags, on));
        let work = Work {
            cell,
            lines,
            vus,
            operations: if is_long(cell) {
                operations.div_ceil(10)
            } else {
                operations
            },
        };
        let load = bench.drive(Driver::Load, work);
        let script = bench.drive(Driver::Script, work);
        let name = format!("{} with {lines:?} lines", cell.id);
        for done in [&load, &script] {
            check_account(&name, done, work, on);
        }
        assert_eq!(script.traffic, load.traffic, "{name}");
        let counted = [
            (script.summary.sent_bytes, load.summary.sent_bytes),
            (script.summary.received_bytes, load.summary.received_bytes),
        ];
        let wire = [(script.wire.0, load.wire.0), (script.wire.1, load.wire.1)];
        for (script, load) in wire {
            assert_close(&name, cell, (script, load), 0);
        }
        let apart = match on {
            Wire::Open => 0,
            Wire::Encrypted => HANDSHAKE_TOLERANCE * cell.connections_per_vu * vus,
        };
        for (script, load) in counted {
            assert_close(&name, cell, (script, load), apart.into());
        }
    }
}

/// Whether an operation is long: lists of up to 70 kB, read from a database by a debug build. Not so for gRPC,
/// where a few operations would not hide what opening a connection takes.
fn is_long(cell: &Cell) -> bool {
    cell.server.contains_key("expenses") && cell.style != Style::Grpc
}

/// Bytes of the two drivers, which are equal in HTTP/1.1 but for the bytes that they may be apart.
fn assert_close(name: &str, cell: &Cell, (script, load): (u64, u64), apart: u64) {
    let tolerance = match cell.style {
        Style::Grpc => apart + load * HTTP2_TOLERANCE / 100,
        _ => apart,
    };
    let distance = script.abs_diff(load);
    assert!(distance <= tolerance, "{name}: {script} and {load}");
}

/// Whether a virtual user asks once and then no more.
fn lives_on_its_cache(cell: &Cell) -> bool {
    cell.server
        .get("cache-max-age")
        .is_some_and(|seconds| seconds != "0")
}

/// What one driver says of itself must be what was asked for, and what was recorded.
fn check_account(name: &str, done: &Done, work: Work<'_>, on: Wire) {
    let Done {
        summary,
        traffic,
        wire,
    } = done;
    let operations = u64::from(work.operations);
    let asking = if lives_on_its_cache(work.cell) {
        1
    } else {
        operations
    };
    let requests = asking * u64::from(work.cell.requests_per_op);
    let engine = &summary.engine;
    assert_eq!(
        (summary.operations, summary.failed_operations),
        (operations, 0),
        "{name}: checks of {engine}"
    );
    assert_eq!(summary.requests, requests, "{name}: {engine}");
    assert_eq!(
        (traffic.requests as u64, traffic.answers as u64),
        (requests, requests),
        "{name}: {engine}"
    );
    assert_eq!(
        (summary.sent_body_bytes, summary.received_body_bytes),
        (
            Some(traffic.sent_body as u64),
            Some(traffic.received_body as u64)
        ),
        "{name}: {engine}"
    );
    let counted = (summary.sent_bytes, summary.received_bytes);
    match on {
        Wire::Open if work.cell.style == Style::Grpc => {}
        Wire::Open => assert_eq!(counted, *wire, "{name}: {engine}"),
        // What is counted is encrypted, and was recorded before.
        Wire::Encrypted => assert!(
            counted.0 > wire.0 && counted.1 > wire.1,
            "{name}: {engine}: {counted:?} and {wire:?} in it"
        ),
    }
}

#[test]
fn one_virtual_user_sends_the_same_under_both_drivers() {
    compare(1, 100, Wire::Open);
}

#[test]
fn four_virtual_users_send_the_same_under_both_drivers() {
    compare(4, 400, Wire::Open);
}

#[test]
fn both_drivers_send_the_same_in_tls() {
    compare(1, 100, Wire::Encrypted);
}

/// What the bodies of one operation come to, sent and received, from the second operation of a virtual
/// user on.
#[test]
fn variants_have_the_bodies_that_are_documented() {
    let catalogue = Catalogue::built_in();
    for (cell, lines, bodies) in [
        ("a-graphql-hash", Some(2), (255, 151)),
        ("a-graphql-id", Some(2), (146, 151)),
        ("b-rest-fields", None, (0, 234)),
        ("b-rest-etag", None, (0, 0)),
        ("b-rest-max-age", None, (0, 0)),
        ("b-graphql-hash", None, (150, 257)),
        ("b-graphql-id", None, (41, 257)),
        ("b-graphql-get", None, (0, 257)),
        ("b-graphql-max-age", None, (0, 0)),
    ] {
        let cell = catalogue.cell(cell).unwrap();
        let bench = Bench::with_flags(&cell.server, Wire::Open);
        let bodies_of = |operations| {
            let vus = 1;
            let work = Work {
                cell,
                lines,
                vus,
                operations,
            };
            let summary = bench.drive(Driver::Load, work).summary;
            assert_eq!(summary.failures, [], "{}", cell.id);
            (
                summary.sent_body_bytes.unwrap(),
                summary.received_body_bytes.unwrap(),
            )
        };
        let (one, three) = (bodies_of(1), bodies_of(3));
        let per_operation = ((three.0 - one.0) / 2, (three.1 - one.1) / 2);
        assert_eq!(per_operation, bodies, "{}", cell.id);
    }
}

/// Without the wrapper, which reads the server's CPU itself, `setup` and `teardown` of a script ask for
/// it; with the wrapper they ask nothing, as the counts above show.
#[test]
fn a_script_run_by_hand_asks_twice_for_the_servers_cpu_and_nothing_else_more() {
    let bench = Bench::start();
    let catalogue = Catalogue::built_in();
    let work = Work {
        cell: catalogue.cell("a-rest").unwrap(),
        lines: Some(2),
        vus: 1,
        operations: 5,
    };
    let count = |driver| {
        let traffic = http1::read(&bench.drive_by_hand(driver, work));
        let metrics = traffic
            .heads
            .iter()
            .filter(|(head, _)| head[0] == "GET /metrics HTTP/1.1");
        (
            traffic.requests,
            metrics.map(|(_, count)| count).sum::<usize>(),
        )
    };
    assert_eq!(count(Driver::Load), (5, 0));
    assert_eq!(count(Driver::Script), (7, 2));
}
