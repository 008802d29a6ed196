//! Every cell of sequences that no script can drive, against the product's own server.

use std::{collections::BTreeMap, path::Path};

use bookstore_bench::{
    catalogue::{Catalogue, Cell},
    load::run_until,
    record::LoadSummary,
    target::{Target, TargetOptions},
};

const BENCH: &str = env!("CARGO_BIN_EXE_bookstore-bench");

fn server() -> Target {
    Target::spawn(Path::new(BENCH), &TargetOptions::with_workers(1)).unwrap()
}

fn drive(server: &Target, line: &str) -> LoadSummary {
    let line = format!(
        "{line} -e BASE_URL=http://{} -e GRPC_ADDR={}",
        server.http_address(),
        server.h2c_address()
    );
    run_until(&crate::plain_args(&line), std::future::pending()).unwrap()
}

#[test]
fn every_cell_without_a_script_does_its_calls_and_keeps_its_times() {
    let server = server();
    let catalogue = Catalogue::built_in();
    // `streams` drives the others.
    let is_sequential = |cell: &Cell| catalogue.scenario_of(cell).unwrap().sequential.is_some();
    let compiled: Vec<&Cell> = catalogue
        .cells
        .iter()
        .filter(|cell| cell.script.is_none() && is_sequential(cell))
        .collect();
    assert!(compiled.len() >= 16);
    let mut bodies = BTreeMap::new();
    for cell in compiled {
        let id = &*cell.id;
        let calls = if cell.requests_per_op == 1 { 1 } else { 3 };
        let summary = drive(
            &server,
            &format!("{id} -e REPETITIONS=3 -e DROP=1 -e CALLS=3"),
        );
        assert_eq!(
            (summary.operations, summary.failed_operations),
            (3, 0),
            "{id}: {:?}",
            summary.failures
        );
        let sends = cell.connections_per_vu > 0;
        assert_eq!(summary.requests, if sends { 3 * calls } else { 0 }, "{id}");
        assert_eq!(
            summary.connections,
            Some(u64::from(cell.connections_per_vu)),
            "{id}"
        );
        let is_stream = cell.scenario == "m.stream";
        assert_eq!(summary.first_event_p50_ms.is_some(), is_stream, "{id}");
        let samples = summary.samples.unwrap();
        assert_eq!(samples.full_ms.len(), 3, "{id}");
        assert_eq!(
            samples.ttfb().is_some_and(|spread| spread.mean > 0.0),
            sends,
            "{id}"
        );
        let received = summary.received_body_bytes.unwrap_or(0);
        bodies.insert(id.to_owned(), received / (3 * calls));
    }
    // With the five bytes before each message.
    for (cell, bytes) in [
        ("g-hello-rest", 20),
        ("g-hello-rest-own", 10),
        ("g-hello-grpc", 25),
        ("g-hello-graphql", 39),
        ("m-small-graphql", 38),
        ("m-post-graphql", 35),
        ("m-small-rest", 17),
        ("m-small-grpc", 22),
        ("m-post-rest", 9),
        ("m-post-grpc", 14),
    ] {
        assert_eq!(bodies[cell], bytes, "{cell}");
    }
    // Single records: two bytes less in the list for each, five more before it.
    assert_eq!(bodies["m-stream-grpc"], bodies["m-get-grpc"] - 5 + 3_000);
    assert_eq!(bodies["m-stream-rest"], bodies["m-get-rest"] - 1);
    assert_eq!(bodies["m-get-rest"], 220_337);
    // The same list in an envelope, and each line in an event before the one that says that all came.
    assert_eq!(bodies["m-get-graphql"], bodies["m-get-rest"] + 22);
    assert_eq!(
        bodies["m-stream-graphql"],
        bodies["m-stream-rest"] + 41_000 + 23
    );
}

#[test]
fn a_list_has_as_many_landings_as_its_row_says() {
    let server = server();
    let body_bytes = |cell: &str, records: u32| {
        let line = format!("{cell} -u 1 --workers 1 -i 1 -e CALLS=2 -e LIMIT={records}");
        let summary = drive(&server, &line);
        assert_eq!(
            (summary.operations, summary.requests),
            (1, 2),
            "{:?}",
            summary.failures
        );
        summary.received_body_bytes.unwrap() / 2
    };
    // With the five bytes before each message.
    for (records, json_bytes, protobuf_bytes) in [
        (1, 231, 107),
        (10, 2_163, 968),
        (10_000, 2_213_801, 1_001_172),
    ] {
        let found = (
            body_bytes("m-count-rest", records),
            body_bytes("m-count-grpc", records),
        );
        assert_eq!(found, (json_bytes, protobuf_bytes), "{records}");
    }
}

#[test]
fn a_number_of_landings_that_there_is_not_is_named() {
    for limit in ["0", "10001", "many"] {
        let args = crate::plain_args(&format!("m-count-rest -i 1 -e LIMIT={limit}"));
        let error = run_until(&args, std::future::pending()).unwrap_err();
        let told = error.to_string();
        assert!(told.contains("LIMIT") && told.contains(limit), "{told}");
    }
}
