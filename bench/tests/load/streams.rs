//! Streams of events, calls that are given up and costly queries, against the product's own server.

use bookstore_bench::{
    catalogue::{Catalogue, Cell, Style},
    record::LoadSummary,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::{load, only_reason, product::Product, server::Server};

fn cells(scenario: &str) -> Vec<Cell> {
    let cells = Catalogue::built_in().cells.into_iter();
    cells.filter(|cell| cell.scenario == scenario).collect()
}

fn drive(product: &Product, cell: &Cell, flags: &str) -> LoadSummary {
    let target = match cell.style {
        Style::Grpc => product.h2c,
        _ => product.http1,
    };
    load(&format!("{} {flags}", cell.id), target)
}

#[test]
fn every_kind_of_stream_is_read_to_its_end_and_counted() {
    let product = Product::start(&[]);
    for (cell, body_bytes) in cells("s.stream").iter().zip([
        ("s-stream-grpc", 21_873),
        ("s-stream-grpcweb", 21_893),
        ("s-stream-sse", 83_613),
        ("s-stream-graphql-ws", 130_641),
        ("s-stream-graphql-sse", 115_636),
    ]) {
        assert_eq!(cell.id, body_bytes.0);
        let summary = drive(&product, cell, "-u 2 --workers 1 -i 4");
        let id = &cell.id;
        let counts = (summary.operations, summary.requests, summary.connections);
        assert_eq!(counts, (4, 4, Some(2)), "{id}: {:?}", summary.failures);
        assert_eq!(summary.received_body_bytes, Some(4 * body_bytes.1), "{id}");
        let first_ms = summary.first_event_p50_ms.unwrap();
        assert!(first_ms > 0.0 && first_ms <= summary.latency.p50_ms, "{id}");
    }
}

#[test]
fn a_stream_that_is_cut_half_way_is_named_and_the_next_one_has_a_new_connection() {
    const HALF: &str = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n\
        7\r\ndata: {\r\n";
    let server = Server::raw(|mut stream| async move {
        let mut request = [0; 1_024];
        if stream.read(&mut request).await.is_ok_and(|read| read > 0) {
            // The client may be gone.
            let _ = stream.write_all(HALF.as_bytes()).await;
        }
    });
    for cell in ["s-stream-sse", "s-stream-graphql-sse", "s-stream-grpcweb"] {
        let summary = load(&format!("{cell} -u 1 --workers 1 -i 3"), server.address);
        let reason = only_reason(&summary, 3);
        assert!(reason.contains("the connection to"), "{cell}: {reason}");
        assert_eq!(summary.first_event_p50_ms, None);
        // One is opened before the first operation.
        assert!(summary.connections >= Some(3), "{cell}");
    }
}

#[test]
fn a_server_without_web_sockets_is_named() {
    let server = Server::http(|ask| {
        assert!(ask.line.starts_with("GET /graphql"), "{}", ask.line);
        crate::server::Reply::new(404, "no such thing")
    });
    let summary = load("s-stream-graphql-ws -u 1 --workers 1 -i 2", server.address);
    let reason = only_reason(&summary, 2);
    assert!(reason.contains("404"), "{reason}");
}

#[test]
fn giving_up_is_what_succeeds_when_work_takes_longer() {
    let product = Product::start(&["--relayed-work=on"]);
    for cell in cells("d.deadline") {
        let summary = drive(&product, &cell, "-u 1 --workers 1 -i 2 -e PATIENCE=10ms");
        let counts = (summary.operations, summary.requests);
        assert_eq!(counts, (2, 2), "{}: {:?}", cell.id, summary.failures);
    }
}

#[test]
fn costly_queries_are_answered_without_limits_and_refused_with_them() {
    let open = Product::start(&[
        "--graphql-max-complexity=1000000",
        "--graphql-max-depth=1000",
    ]);
    let limited = Product::start(&[]);
    for cell in cells("q.cost") {
        let summary = drive(&open, &cell, "-u 1 --workers 1 -i 1");
        assert_eq!(summary.operations, 1, "{}: {:?}", cell.id, summary.failures);
        let bodies = match cell.id.as_str() {
            "q-deep" => (916, 2_049),
            "q-wide" => (13_316, 42_109),
            "q-alias" => (37_304, 169_300),
            "q-list" => (986, 854_360),
            other => panic!("{other} has no sizes here"),
        };
        let (sent, received) = (summary.sent_body_bytes, summary.received_body_bytes);
        assert_eq!(
            (sent, received),
            (Some(bodies.0), Some(bodies.1)),
            "{}",
            cell.id
        );
        let summary = drive(&limited, &cell, "-u 1 --workers 1 -i 1");
        let reason = only_reason(&summary, 1);
        assert!(reason.contains("no data alone"), "{}: {reason}", cell.id);
    }
}

#[test]
fn what_is_sent_beside_ordinary_queries_is_not_counted_with_them() {
    let product = Product::start(&[]);
    let beside = &cells("q.beside")[0];
    let summary = drive(&product, beside, "-u 2 --workers 1 -i 6");
    let counts = (summary.operations, summary.requests, summary.connections);
    assert_eq!(counts, (6, 6, Some(2)), "{:?}", summary.failures);
    assert_eq!(summary.sent_body_bytes, Some(6 * 171));
}
