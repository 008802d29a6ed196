//! Answers that came and are wrong.

use std::time::Duration;

use bookstore_proto::v1::{BookDetail, ReserveStockResponse};

use crate::{
    load, only_reason,
    server::{Ask, Reply, Server, bookstore, framed, rpc},
};

/// The reason why all of three operations failed over HTTP/1.1.
fn http_reason(script: &str, answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static) -> String {
    let server = Server::http(answer);
    let summary = load(&format!("{script} -u 1 -i 3"), server.address);
    // A wrong answer is no reason to connect again.
    assert_eq!(
        summary.connections,
        Some(if script == "b-rest" { 3 } else { 1 })
    );
    only_reason(&summary, 3).to_owned()
}

fn grpc_reason(script: &str, answer: impl Fn(&Ask) -> Reply + Send + Sync + 'static) -> String {
    let server = Server::grpc(answer);
    let summary = load(&format!("{script} -u 1 -i 3"), server.address);
    assert_eq!(summary.connections, Some(1));
    only_reason(&summary, 3).to_owned()
}

#[test]
fn another_status_is_named_with_the_beginning_of_the_body() {
    let reason = http_reason("a-rest", |_| Reply::new(409, "sold out"));
    assert_eq!(
        reason,
        "POST /api/reservations: status 409 Conflict instead of 201 Created; \
         the body begins with `sold out`"
    );
    let reason = http_reason("b-grpcweb-http", |_| Reply::new(500, ""));
    assert!(reason.contains("GetBookDetail: status 500"), "{reason}");
}

#[test]
fn another_orders_reservation_does_not_pass() {
    let body = r#"{"reservationId":"r","orderId":"ord-2","expiresAt":"t"}"#;
    let reason = http_reason("a-rest", move |_| Reply::new(201, body));
    assert_eq!(
        reason,
        "POST /api/reservations: the order id is `ord-2` instead of `ord-1`"
    );
    let reason = grpc_reason("a-grpc", |_| {
        let answer = ReserveStockResponse {
            order_id: "ord-3".to_owned(),
            ..ReserveStockResponse::default()
        };
        Reply::new(200, framed(&answer))
    });
    assert!(reason.contains("`ord-3` instead of `ord-1`"), "{reason}");
}

#[test]
fn a_body_of_another_kind_is_quoted() {
    let reason = http_reason("a-rest", |_| Reply::new(201, "<html>"));
    assert!(
        reason.contains("not a reservation") && reason.contains("<html>"),
        "{reason}"
    );
    let reason = http_reason("b-rest-bff", |_| Reply::new(200, r#"{"id":1}"#));
    assert!(reason.contains("missing field `title`"), "{reason}");
}

#[test]
fn each_of_the_four_resources_is_checked() {
    for (path, body, named) in [
        (
            "/api/books/1",
            r#"{"id":2,"title":"T","authorId":7}"#,
            "`2` instead of `1`",
        ),
        (
            "/api/books/1/stock",
            r#"{"bookId":3,"available":1}"#,
            "`3` instead of `1`",
        ),
        ("/api/books/1/reviews?limit=2", "[]", "`0` instead of `2`"),
        (
            "/api/authors/7",
            r#"{"id":8,"name":"A"}"#,
            "`8` instead of `7`",
        ),
    ] {
        let reason = http_reason("b-rest", move |ask| {
            if ask.line == format!("GET {path}") {
                Reply::new(200, body)
            } else {
                bookstore(ask)
            }
        });
        assert!(reason.starts_with(&format!("GET {path}: ")), "{reason}");
        assert!(reason.contains(named), "{reason}");
    }
}

#[test]
fn a_grpc_status_fails_the_operation_in_both_styles() {
    let reason = grpc_reason("b-grpc", |ask| Reply {
        grpc_status: "9",
        ..rpc(ask)
    });
    assert!(
        reason.contains("gRPC status 9 (FailedPrecondition)"),
        "{reason}"
    );
    let reason = grpc_reason("a-grpc", |_| Reply {
        grpc_status: "8",
        ..Reply::new(200, "")
    });
    assert!(
        reason.contains("gRPC status 8 (ResourceExhausted)"),
        "{reason}"
    );
    let reason = http_reason("a-grpcweb-http", |_| {
        Reply::new(200, &b"\x80\0\0\0\x0fgrpc-status:9\r\n"[..])
    });
    assert!(
        reason.contains("gRPC status 9 (FailedPrecondition)"),
        "{reason}"
    );
}

#[test]
fn a_screen_without_its_reviews_does_not_pass() {
    let reason = grpc_reason("b-grpc", |_| {
        let screen = BookDetail {
            id: 1,
            title: "T".to_owned(),
            author_name: "A".to_owned(),
            ..BookDetail::default()
        };
        Reply::new(200, framed(&screen))
    });
    assert!(
        reason.contains("the number of reviews is `0` instead of `2`"),
        "{reason}"
    );
}

#[test]
fn a_grpc_message_cut_short_is_a_failure() {
    let reason = grpc_reason("b-grpc", |_| Reply::new(200, &b"\0\0\0\0\x09abc"[..]));
    assert!(reason.contains("promises 9 bytes and 3 follow"), "{reason}");
}

#[test]
fn graphql_errors_fail_though_the_status_is_200() {
    let reason = http_reason("b-graphql", |_| {
        Reply::new(200, r#"{"data":null,"errors":[{"message":"no book 1"}]}"#)
    });
    assert_eq!(reason, "POST /graphql: GraphQL error: no book 1");
}

#[test]
fn good_and_bad_answers_are_counted_apart() {
    let calls = std::sync::atomic::AtomicU64::new(0);
    let server = Server::http(move |ask| {
        let call = calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
        if call.is_multiple_of(4) {
            Reply {
                delay: Duration::from_millis(1),
                ..Reply::new(503, "")
            }
        } else {
            bookstore(ask)
        }
    });
    let summary = load("a-rest -u 1 -i 20", server.address);
    assert_eq!((summary.operations, summary.failed_operations), (15, 5));
    assert_eq!(summary.failures.len(), 1);
    assert_eq!(summary.failures[0].count, 5);
}

#[test]
fn another_book_in_the_middle_of_several_calls_does_not_pass() {
    let reason = http_reason("b-calls-rest", |ask| {
        if ask.line.ends_with("/3") {
            let line = "GET /api/screens/book-detail/2".to_owned();
            bookstore(&Ask {
                line,
                ..ask.clone()
            })
        } else {
            bookstore(ask)
        }
    });
    assert_eq!(
        reason,
        "GET /api/screens/book-detail/3: the book's id is `2` instead of `3`"
    );
}
