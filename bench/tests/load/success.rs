//! Every cell against a server that answers well.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering::SeqCst},
};

use bookstore_bench::catalogue::{Catalogue, Style};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    load,
    server::{Reply, Server, bookstore, rpc},
};

/// Cells that only compiled clients can drive are driven against the product's own server, by `compiled`
/// and `streams`.
#[test]
fn every_cell_with_a_script_has_a_client_that_counts_right() {
    let received = Arc::new(AtomicU64::new(0));
    let sent = Arc::new(AtomicU64::new(0));
    let cells = Catalogue::built_in().cells.into_iter();
    for cell in cells.filter(|cell| cell.script.is_some()) {
        let (counted_in, counted_out) = (Arc::clone(&received), Arc::clone(&sent));
        let count = move |ask: &crate::server::Ask, reply: Reply| {
            counted_in.fetch_add(ask.body.len() as u64, SeqCst);
            counted_out.fetch_add(reply.body.len() as u64, SeqCst);
            reply
        };
        let server = match cell.style {
            Style::Grpc => Server::grpc(move |ask| count(ask, rpc(ask))),
            _ => Server::http(move |ask| count(ask, bookstore(ask))),
        };
        let line = format!(
            "{} -u 4 --workers 2 -i 50 -e LINES=50 -e LIMIT=2 -e EXPENSES_TOKEN=t",
            cell.program()
        );
        let summary = load(&line, server.address);

        let id = &cell.id;
        assert_eq!(
            (summary.operations, summary.failed_operations),
            (50, 0),
            "{id}: {:?}",
            summary.failures
        );
        assert_eq!(
            summary.requests,
            50 * u64::from(cell.requests_per_op),
            "{id}"
        );
        assert_eq!(
            summary.connections,
            Some(4 * u64::from(cell.connections_per_vu)),
            "{id}"
        );
        assert_eq!(summary.lines, (cell.scenario == "a").then_some(50), "{id}");
        assert_eq!(summary.vus, 4);
        assert_eq!(summary.engine.workers, Some(2));
        let stem = cell.program().rsplit('/').next().unwrap();
        assert_eq!(stem.trim_end_matches(".js"), summary.script);

        assert_eq!(
            summary.sent_body_bytes,
            Some(received.swap(0, SeqCst)),
            "{id}"
        );
        assert_eq!(
            summary.received_body_bytes,
            Some(sent.swap(0, SeqCst)),
            "{id}"
        );
        assert!(
            summary.sent_bytes > summary.sent_body_bytes.unwrap(),
            "{id}"
        );
        assert!(
            summary.received_bytes > summary.received_body_bytes.unwrap(),
            "{id}"
        );
        if cfg!(target_os = "linux") {
            assert_eq!(summary.kernel_sent_bytes, Some(summary.sent_bytes), "{id}");
            assert_eq!(
                summary.kernel_received_bytes,
                Some(summary.received_bytes),
                "{id}"
            );
        }

        let latency = summary.latency;
        assert!(summary.elapsed_s > 0.0 && latency.min_ms > 0.0, "{id}");
        assert!(
            latency.min_ms <= latency.p50_ms && latency.p50_ms <= latency.p95_ms,
            "{id}"
        );
        assert!(
            latency.p95_ms <= latency.p99_ms && latency.p99_ms <= latency.max_ms,
            "{id}"
        );
        assert!(latency.max_ms <= summary.elapsed_s * 1000.0, "{id}");
    }
}

/// What arrives in the first read of each connection; the answer is a 404.
fn first_requests(line: &str) -> (Vec<String>, u16) {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let server = Server::raw(move |mut stream| {
        let seen = Arc::clone(&seen);
        async move {
            let mut buffer = vec![0; 65_536];
            let read = stream.read(&mut buffer).await.unwrap();
            let text = String::from_utf8_lossy(&buffer[..read]).into_owned();
            seen.lock().unwrap().push(text);
            let answer = b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
            stream.write_all(answer).await.unwrap();
            // Until the client closes.
            let _ = stream.read(&mut buffer).await;
        }
    });
    load(line, server.address);
    let port = server.address.port();
    drop(server);
    let mut heads = Arc::try_unwrap(heads).unwrap().into_inner().unwrap();
    heads.sort();
    (heads, port)
}

#[test]
fn heads_have_the_lines_of_k6_and_no_others() {
    let agent = concat!("User-Agent: bookstore-bench/", env!("CARGO_PKG_VERSION"));
    let (heads, port) = first_requests("a-rest -u 1 -i 1");
    assert_eq!(
        heads,
        [format!(
            "POST /api/reservations HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{agent}\r\n\
             Content-Length: 105\r\nContent-Type: application/json\r\n\r\n\
             {{\"orderId\":\"ord-1\",\"lines\":[{{\"isbn\":\"9780000000001\",\"quantity\":1}},\
             {{\"isbn\":\"9780000000002\",\"quantity\":2}}]}}"
        )]
    );

    let (heads, port) = first_requests("b-grpcweb-http -u 1 -i 1");
    assert_eq!(
        heads,
        [format!(
            "POST /bookstore.bench.v1.CatalogService/GetBookDetail HTTP/1.1\r\n\
             Host: 127.0.0.1:{port}\r\n{agent}\r\nContent-Length: 9\r\n\
             Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\n\r\n\
             \0\0\0\0\x04\x08\x01\x10\x02"
        )]
    );

    let (heads, port) = first_requests("b-rest -u 1 -i 1");
    let expected = ["", "/reviews?limit=2", "/stock"].map(|path| {
        format!("GET /api/books/1{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{agent}\r\n\r\n")
    });
    assert_eq!(heads, expected);
}

#[test]
fn a_server_that_closes_after_each_answer_makes_connections_and_no_failures() {
    let server = Server::http(|ask| Reply {
        close: true,
        ..bookstore(ask)
    });
    let summary = load("a-rest -u 2 -i 10", server.address);
    assert_eq!(
        (summary.operations, summary.failed_operations),
        (10, 0),
        "{:?}",
        summary.failures
    );
    assert_eq!(summary.connections, Some(10));
}

#[test]
fn calls_are_made_one_after_the_other_in_every_style() {
    for (script, of_book) in [
        ("b-calls-rest", "GET /api/screens/book-detail/"),
        ("b-calls-graphql", "POST /graphql"),
        (
            "b-calls-grpcweb",
            "POST /bookstore.bench.v1.CatalogService/",
        ),
        ("b-calls-grpc", "POST /bookstore.bench.v1.CatalogService/"),
    ] {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        let note = move |ask: &crate::server::Ask| {
            let name = ask.line.strip_prefix(of_book).unwrap().to_owned();
            seen.lock().unwrap().push((name, ask.body.clone()));
        };
        let server = if script == "b-calls-grpc" {
            Server::grpc(move |ask| {
                note(ask);
                rpc(ask)
            })
        } else {
            Server::http(move |ask| {
                note(ask);
                bookstore(ask)
            })
        };
        let summary = load(&format!("{script} -u 1 -i 1 -e CALLS=3"), server.address);
        assert_eq!((summary.operations, summary.requests), (1, 3), "{script}");
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), 3, "{script}");
        assert!(asked[0] != asked[1] && asked[1] != asked[2], "{script}");
    }
}

#[test]
fn a_cell_of_one_request_is_sent_over_http2_when_asked_with_the_same_bodies() {
    for script in ["k6/a-rest.js", "k6/a-graphql.js", "k6/a-grpcweb-http.js"] {
        let line = format!("{script} -u 2 --workers 1 -i 20 -e LINES=50");
        let server = Server::http(bookstore);
        let over_1 = load(&line, server.address);
        let server = Server::grpc(bookstore);
        let over_2 = load(&format!("{line} -e HTTP_VERSION=2"), server.address);
        for summary in [&over_1, &over_2] {
            let counts = (summary.operations, summary.failed_operations);
            assert_eq!(counts, (20, 0), "{script}: {:?}", summary.failures);
        }
        assert_eq!(over_2.sent_body_bytes, over_1.sent_body_bytes);
        assert_eq!(over_2.received_body_bytes, over_1.received_body_bytes);
        assert_ne!(over_2.sent_bytes, over_1.sent_bytes, "{script}");
    }
}
