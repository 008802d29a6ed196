//! The delay of a backend, by a clock that stands still unless something waits for it.

use std::time::Duration;

use axum::body::Body;
use bookstore_server::App;
use http::{Request, StatusCode, Version};
use serde_json::json;
use tokio::time::Instant;

use super::support::{app, call, order_json};

const DETAIL: &str = "/bookstore.bench.v1.CatalogService/GetBookDetail";
const REVIEWS: &str = "/bookstore.bench.v1.CatalogService/ListReviews";
const RESERVE: &str = "/bookstore.bench.v1.InventoryService/ReserveStock";

fn get(path: &str) -> Request<Body> {
    Request::get(path).body(Body::empty()).unwrap()
}

fn post(path: &str, content_type: &str, body: impl Into<Body>) -> Request<Body> {
    Request::post(path)
        .header("content-type", content_type)
        .body(body.into())
        .unwrap()
}

fn graphql(query: &str) -> Request<Body> {
    post(
        "/graphql",
        "application/json",
        json!({ "query": query }).to_string(),
    )
}

fn frame(message: &[u8]) -> Vec<u8> {
    let length = u8::try_from(message.len()).unwrap();
    [&[0, 0, 0, 0, length], message].concat()
}

/// One operation each.
fn operations() -> Vec<(bool, Request<Body>)> {
    let screen = frame(&[8, 1, 16, 2]);
    let line = [&[10, 13][..], b"9780000000001", &[16, 1]].concat();
    let order = [&[10, 1, b'o', 18, 17][..], &line].concat();
    let mut over_h2c = post(DETAIL, "application/grpc", screen.clone());
    *over_h2c.version_mut() = Version::HTTP_2;
    vec![
        (true, get("/api/books/1")),
        (true, get("/api/books/1?fields=title")),
        (true, get("/api/books/1/stock")),
        (true, get("/api/books/1/reviews?limit=2")),
        (true, get("/api/authors/1")),
        (true, get("/api/screens/book-detail/1")),
        (
            true,
            post("/api/reservations", "application/json", order_json(2)),
        ),
        (
            true,
            graphql("{ book(id: 1) { title author { name } stock reviews(last: 2) { text } } }"),
        ),
        (
            true,
            graphql(
                "mutation { reserveStock(input: {orderId: \"o\", lines: [{isbn: \"9780000000001\", \
                 quantity: 1}]}) { reservation { orderId } } }",
            ),
        ),
        (true, post(DETAIL, "application/grpc-web+proto", screen)),
        (
            true,
            post(REVIEWS, "application/grpc-web+proto", frame(&[8, 1])),
        ),
        (
            true,
            post(RESERVE, "application/grpc-web+proto", frame(&order)),
        ),
        (false, over_h2c),
    ]
}

async fn time_of(app: &App, over_http1: bool, request: Request<Body>) -> Duration {
    let path = request.uri().clone();
    let start = Instant::now();
    let router = if over_http1 { &app.http1 } else { &app.h2c };
    let answer = call(router, request).await;
    let time = start.elapsed();
    let is_good = [StatusCode::OK, StatusCode::CREATED].contains(&answer.status);
    assert!(is_good && !answer.body.is_empty(), "{path}: {answer:?}");
    let is_free_of_errors = !String::from_utf8_lossy(&answer.body).contains("\"errors\"");
    assert!(is_free_of_errors, "{path}: {answer:?}");
    time
}

#[tokio::test(start_paused = true)]
async fn every_operation_of_every_style_waits_once() {
    for (flag, delay_ms) in [("--backend-delay=5ms", 5), ("--backend-delay=0.02s", 20)] {
        let app = app(&[flag]);
        let delay = Duration::from_millis(delay_ms);
        for (over_http1, request) in operations() {
            let path = request.uri().clone();
            let time = time_of(&app, over_http1, request).await;
            // The timer rounds up to the next millisecond.
            let expected = delay..=delay + Duration::from_millis(1);
            assert!(expected.contains(&time), "{path}: {time:?}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn without_a_delay_nothing_waits() {
    for flags in [&[][..], &["--backend-delay=0ms"]] {
        let app = app(flags);
        for (over_http1, request) in operations() {
            assert_eq!(time_of(&app, over_http1, request).await, Duration::ZERO);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn what_never_reaches_the_store_does_not_wait_for_it() {
    let app = app(&["--backend-delay=5ms"]);
    let start = Instant::now();
    for request in [get("/about"), get("/api/books/x"), graphql("{ nope }")] {
        call(&app.http1, request).await;
    }
    assert_eq!(start.elapsed(), Duration::ZERO);
}
