//! Targets that do not answer.

use std::{net::TcpListener, time::Duration};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::{
    load, only_reason,
    server::{Reply, Server, bookstore},
};

/// Reads one request and answers with these bytes, then closes.
fn answering(bytes: &'static [u8]) -> Server {
    Server::raw(move |mut stream| async move {
        let mut buffer = vec![0; 65_536];
        if stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
            let _ = stream.write_all(bytes).await;
        }
    })
}

#[test]
fn an_answer_cut_short_is_a_failure() {
    let server = answering(b"HTTP/1.1 201 Created\r\ncontent-length: 100\r\n\r\nshort");
    let summary = load("a-rest -u 1 -i 2", server.address);
    let reason = only_reason(&summary, 2);
    assert!(
        reason.starts_with(&format!("the connection to {} broke: ", server.address)),
        "{reason}"
    );
    // What arrived is counted.
    assert_eq!(summary.received_body_bytes, Some(10));
    assert_eq!(summary.connections, Some(2));
}

#[test]
fn a_connection_closed_without_an_answer_is_a_failure() {
    for script in ["a-rest", "a-grpc"] {
        let server = answering(b"");
        let summary = load(&format!("{script} -u 1 -i 2"), server.address);
        assert!(only_reason(&summary, 2).contains("broke"));
    }
}

#[test]
fn an_answer_that_is_no_http_is_a_failure() {
    for script in ["a-rest", "a-grpc"] {
        let server = answering(b"220 mail.example ESMTP\r\n");
        let summary = load(&format!("{script} -u 1 -i 2"), server.address);
        assert!(only_reason(&summary, 2).contains("broke"));
    }
}

#[test]
fn a_silent_server_fails_each_operation_at_the_time_out() {
    for script in ["a-rest", "a-grpc", "b-rest"] {
        let server = Server::raw(|mut stream| async move {
            let mut buffer = vec![0; 65_536];
            while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
        });
        let line = format!("{script} -u 2 -i 4 --timeout 30ms");
        let summary = load(&line, server.address);
        assert_eq!(only_reason(&summary, 4), "no complete answer within 30ms");
        assert!(summary.elapsed_s >= 0.06, "two of them one after another");
    }
}

#[test]
fn a_refused_connection_is_a_failure_and_not_tried_in_a_busy_loop() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    for script in ["a-rest", "a-grpc"] {
        let summary = load(&format!("{script} -u 1 -d 200ms"), address);
        // Waits of 10, 20, 40, 80 and 160 ms leave room for five attempts.
        assert!((1..=5).contains(&summary.failed_operations), "{summary:?}");
        let reason = only_reason(&summary, summary.failed_operations);
        assert!(
            reason.starts_with(&format!("cannot connect to {address}: ")),
            "{reason}"
        );
        assert_eq!((summary.requests, summary.connections), (0, Some(0)));
    }
}

#[test]
fn the_load_goes_on_when_the_server_is_back() {
    // Every other connection is closed at once.
    let calls = std::cell::Cell::new(0);
    let server = Server::raw(move |stream| {
        calls.set(calls.get() + 1);
        let good = calls.get() % 2 == 0;
        async move {
            if good {
                let service = hyper::service::service_fn(|_| async {
                    let body = r#"{"reservationId":"r","orderId":"ord-1","expiresAt":"t"}"#;
                    let mut response = http::Response::new(body.to_owned());
                    *response.status_mut() = http::StatusCode::CREATED;
                    Ok::<_, std::convert::Infallible>(response)
                });
                let _ = hyper::server::conn::http1::Builder::new()
                    .serve_connection(hyper_util::rt::TokioIo::new(stream), service)
                    .await;
            }
        }
    });
    let summary = load("a-rest -u 1 -i 5", server.address);
    assert_eq!(summary.operations + summary.failed_operations, 5);
    assert!(summary.operations >= 4, "{:?}", summary.failures);
}

#[test]
fn a_slow_answer_within_the_limit_passes() {
    let server = Server::http(|ask| Reply {
        delay: Duration::from_millis(40),
        ..bookstore(ask)
    });
    let summary = load("a-rest -u 1 -i 3 --timeout 20s", server.address);
    assert_eq!(summary.operations, 3);
    assert!(summary.latency.min_ms >= 40.0);
}
