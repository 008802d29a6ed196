//! Whole sessions of a fraction of a second.

use std::{collections::BTreeSet, fs};

use bookstore_bench::{
    catalogue::{Catalogue, Cell},
    record::SessionState,
};

use crate::sitting::{Sitting, has_its_requests, is_about_expenses, wrapper};

/// The cell's id, with fewer operations and calls where it is measured by sequences.
fn briefly(catalogue: &Catalogue, cell: &Cell) -> String {
    let scenario = catalogue.scenario_of(cell).unwrap();
    match (scenario.sequential, scenario.most_calls) {
        (None, _) => cell.id.clone(),
        (Some(_), None) => format!("{}@sequential=3,drop=1,pause=0ms", cell.id),
        (Some(_), Some(_)) => format!("{}@sequential=3,drop=1,pause=0ms,calls=2", cell.id),
    }
}

#[test]
fn every_cell_is_measured_end_to_end() {
    let catalogue = Catalogue::built_in();
    let sending = catalogue
        .cells
        .iter()
        .filter(|cell| cell.connections_per_vu > 0 && !is_about_expenses(cell));
    let cells: Vec<String> = sending.map(|cell| briefly(&catalogue, cell)).collect();
    let mut sitting = Sitting::start(&["--cells", &cells.join(","), "--seed", "7"]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);

    let session = sitting.saved();
    assert_eq!(session.state, SessionState::Complete);
    assert_eq!(session.settings.seed, 7);
    assert!(
        session
            .equal_answers
            .as_ref()
            .unwrap()
            .differences
            .is_empty()
    );
    let measured: BTreeSet<&str> = session.runs.iter().map(|run| &*run.row).collect();
    let planned: BTreeSet<&str> = session.rows.iter().map(|row| &*row.id).collect();
    assert_eq!(measured, planned);
    for run in &session.runs {
        let row = session.rows.iter().find(|row| row.id == run.row).unwrap();
        let load = &run.load;
        assert!(load.operations > 0, "{}", run.row);
        assert_eq!(
            load.failed_operations, 0,
            "{}: {:?}",
            run.row, load.failures
        );
        assert!(has_its_requests(row, load), "{}: {load:?}", run.row);
        assert_eq!(Some(load.sent_bytes), load.kernel_sent_bytes, "{}", run.row);
        assert_eq!(
            Some(load.received_bytes),
            load.kernel_received_bytes,
            "{}",
            run.row
        );
        assert!(run.usage.server.cpu_us.unwrap() > 0.0);
        assert!(run.usage.client.cpu_us.unwrap() > 0.0);
        assert!(run.usage.server.peak_rss_bytes.unwrap() > 1_000_000);
    }
    for file in ["results.json", "results.md", "results.csv", "report.html"] {
        assert!(end.stdout.contains(file), "{file} is announced");
        assert!(sitting.out.join(file).exists(), "{file}");
    }
    assert!(end.stdout.contains("REST BFF"), "{}", end.stdout);
}

#[test]
fn expenses_have_the_documented_sizes_and_one_statement_each() {
    let few = "sequential=3,drop=1,expenses-tokens=off";
    let cells = [
        "e-users-rest",
        "e-expenses-rest",
        "e-A-graphql",
        "e-B-graphql",
    ];
    let cells = cells.map(|cell| format!("{cell}@{few}"));
    let mut sitting = Sitting::start(&["--cells", &cells.join(",")]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    for (row, body) in cells.iter().zip([72_400, 217_091, 256_107, 7_980]) {
        let mut runs = session.runs.iter();
        let run = runs.find(|run| run.row == *row).unwrap();
        let found = run.load.received_body_bytes.unwrap() / run.load.operations;
        assert_eq!(found, body, "{row}");
        let samples = run.load.samples.as_ref().unwrap();
        assert_eq!((samples.full_ms.len(), samples.dropped), (3, 1), "{row}");
        assert_eq!(run.sql_statements_per_op(), Some(1.0), "{row}");
    }
}

#[test]
fn rows_in_tls_have_the_bodies_of_the_others_and_more_bytes_on_the_wire() {
    let few = "driver=load,sequential=3,drop=1,pause=0ms";
    let rows = ["m-small-grpc", "e-users-rest", "g-hello-rest"].map(|cell| {
        let condition = match cell {
            "m-small-grpc" => format!("{few},calls=2,rtt=2ms"),
            _ => few.to_owned(),
        };
        [&*condition, &format!("{condition},tls=on")].map(|condition| format!("{cell}@{condition}"))
    });
    let cells = rows.concat().join(",");
    let mut sitting = Sitting::start(&["--cells", &cells, "--no-noise-floor"]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    for pair in rows {
        let [plain, encrypted] = pair.map(|row| {
            let mut runs = session.runs.iter();
            &runs.find(|run| run.row == row).unwrap().load
        });
        assert_eq!((encrypted.operations, encrypted.failed_operations), (3, 0));
        assert_eq!(plain.sent_body_bytes, encrypted.sent_body_bytes);
        assert_eq!(plain.received_body_bytes, encrypted.received_body_bytes);
        assert!(encrypted.received_bytes > plain.received_bytes + 300);
    }
}

#[test]
fn bodies_have_the_published_sizes_in_every_style() {
    // Request and response body bytes per operation; responses of scenario a are our own.
    let expected = [
        ("L2-a-rest", 105, 109),
        ("L50-a-rest", 1_929, 109),
        ("L2-a-grpc", 50, 58),
        ("L50-a-grpc", 962, 58),
        ("L2-a-graphql", 278, 151),
        ("L50-a-graphql", 2_102, 151),
        ("b-rest", 0, 93 + 66 + 27 + 224),
        ("b-rest-bff", 0, 237),
        ("b-grpcweb", 9, 139),
        ("b-graphql", 171, 257),
    ];
    let mut sitting = Sitting::start(&["--no-noise-floor"]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    assert_eq!(session.runs.len(), expected.len());
    for (row, sent, received) in expected {
        let load = &session.runs.iter().find(|run| run.row == row).unwrap().load;
        assert_eq!(
            load.sent_body_bytes,
            Some(sent * load.operations),
            "{row} sent"
        );
        assert_eq!(
            load.received_body_bytes,
            Some(received * load.operations),
            "{row} received"
        );
    }
}

#[test]
fn an_open_model_offers_the_same_rate_to_every_style() {
    let flags = [
        "--cells",
        "b-rest-bff,b-graphql",
        "--rate",
        "400",
        "--duration",
        "500ms",
    ];
    let mut sitting = Sitting::start(&[&flags[..], &["--no-noise-floor"]].concat());
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    for run in sitting.saved().runs {
        let due = run.load.operations + run.load.dropped_iterations;
        assert_eq!(due, 200, "400 per second for half a second: {}", run.row);
    }
}

#[test]
fn a_report_rendered_again_is_the_same_to_the_byte() {
    let mut sitting = Sitting::start(&["--cells", "b-rest-bff,b-graphql", "--rounds", "2"]);
    assert_eq!(sitting.end().status.code(), Some(0));
    let again = sitting.out.join("again");
    let output = wrapper()
        .args(["report", "--out"])
        .arg(&again)
        .arg(sitting.out.join("results.json"))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    for file in ["results.md", "results.csv", "report.html"] {
        let first = fs::read(sitting.out.join(file)).unwrap();
        assert!(
            first == fs::read(again.join(file)).unwrap(),
            "{file} differs"
        );
    }
}

#[test]
fn several_calls_have_the_sizes_of_their_screens_in_every_style() {
    // Request and response body bytes of the screens of books 1, 2 and 3.
    let expected = [
        ("b-calls-rest@calls=3", 0, 702),
        ("b-calls-grpc@calls=3", 27, 347),
        ("b-calls-grpcweb@calls=3", 27, 407),
        ("b-calls-graphql@calls=3", 3 * 171, 762),
    ];
    let cells = expected.map(|(row, ..)| row).join(",");
    let mut sitting = Sitting::start(&["--no-noise-floor", "--cells", &cells]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    for (row, sent, received) in expected {
        let load = &session.runs.iter().find(|run| run.row == row).unwrap().load;
        let operations = load.operations;
        assert_eq!(load.requests, 3 * operations, "{row}");
        assert_eq!(load.sent_body_bytes, Some(sent * operations), "{row}");
        let body = load.received_body_bytes;
        assert_eq!(body, Some(received * operations), "{row}");
    }
}

#[test]
fn composed_screens_and_four_grpc_calls_have_their_sizes() {
    let expected = [
        ("b-grpc-resources", 4, 30, 201),
        ("b-graphql@graphql-upstream=own", 1, 171, 257),
        (
            "b-graphql@graphql-batching=on,graphql-upstream=own",
            1,
            171,
            257,
        ),
    ];
    let cells = expected.map(|(row, ..)| row).join(",");
    let mut sitting = Sitting::start(&["--no-noise-floor", "--cells", &cells]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    for (row, requests, sent, received) in expected {
        let load = &session.runs.iter().find(|run| run.row == row).unwrap().load;
        let operations = load.operations;
        assert!(operations > 0, "{row}");
        assert_eq!(load.requests, requests * operations, "{row}");
        assert_eq!(load.sent_body_bytes, Some(sent * operations), "{row}");
        let body = load.received_body_bytes;
        assert_eq!(body, Some(received * operations), "{row}");
    }
}

#[test]
fn a_new_connection_for_each_operation_is_counted_as_one() {
    let row = "L2-a-grpc@driver=load,rate=50,connection=new";
    let cells = "a-grpc@driver=load,rate=50,connection=new";
    let mut sitting = Sitting::start(&["--no-noise-floor", "--lines", "2", "--cells", cells]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    let load = &session.runs.iter().find(|run| run.row == row).unwrap().load;
    assert_eq!(load.failed_operations, 0);
    // Connections that are open at the end were opened for nothing or have carried the last ones.
    assert!(load.connections.unwrap() >= load.operations, "{load:?}");
}

#[test]
fn a_row_over_a_link_takes_its_round_trips_and_says_what_the_link_did() {
    let cells = "b-rest@rtt=40ms,b-grpc@rtt=40ms,bandwidth=50Mbit/s,b-calls-rest@calls=3,rtt=40ms";
    let mut sitting = Sitting::start(&["--no-noise-floor", "--cells", cells]);
    let end = sitting.end();
    assert_eq!(end.status.code(), Some(0), "{}", end.stderr);
    let session = sitting.saved();
    for (row, rounds) in [
        ("b-rest@rtt=40ms", 2.0),
        ("b-grpc@rtt=40ms,bandwidth=50Mbit/s", 1.0),
        ("b-calls-rest@calls=3,rtt=40ms", 3.0),
    ] {
        let run = session.runs.iter().find(|run| run.row == row).unwrap();
        assert!(run.load.latency.min_ms >= 40.0 * rounds, "{row}");
        assert!(run.load.operations > 0, "{row}");
        let link = run.link.as_ref().unwrap();
        assert_eq!(link.delay_ms.to_bits(), 20_f64.to_bits());
        assert_eq!(Some(link.connections), run.load.connections, "{row}");
        // HTTP/2 may still say goodbye when the link ends.
        if row.contains("rest") {
            assert_eq!(link.bytes_up, run.load.sent_bytes, "{row}");
            assert_eq!(link.bytes_down, run.load.received_bytes, "{row}");
        }
        assert!(link.late_p95_us.is_some());
    }
}
