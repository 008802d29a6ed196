//! REST on the HTTP/2 port, when it is asked for.

use axum::{Router, body::Body};
use http::{Method, Request, StatusCode, Version};

use super::support::{Answer, app, call};

const LINES: [usize; 9] = [1, 2, 5, 10, 25, 50, 100, 500, 5_000];

async fn reserve(router: &Router, lines: usize) -> Answer {
    let line = r#"{"isbn":"9780000000001","quantity":1}"#;
    let order = format!(
        r#"{{"orderId":"ord-1","lines":[{}]}}"#,
        vec![line; lines].join(",")
    );
    let request = Request::builder()
        .method(Method::POST)
        .version(Version::HTTP_2)
        .uri("/api/reservations")
        .header("content-type", "application/json")
        .body(Body::from(order))
        .unwrap();
    call(router, request).await
}

#[tokio::test]
async fn both_ports_answer_alike_at_every_order_size() {
    let app = app(&["--rest-h2c=on"]);
    for lines in LINES {
        let [over_1, over_2] = [
            reserve(&app.http1, lines).await,
            reserve(&app.h2c, lines).await,
        ];
        assert_eq!(over_2.status, StatusCode::CREATED, "{lines} lines");
        assert_eq!(over_1.status, over_2.status);
        assert_eq!(over_1.body.len(), over_2.body.len());
        assert_eq!(over_1.json()["orderId"], over_2.json()["orderId"]);
    }
}

#[tokio::test]
async fn without_it_the_http2_port_has_no_rest() {
    let answer = reserve(&app(&[]).h2c, 2).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}
