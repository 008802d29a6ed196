//! GraphQL in front of gRPC: the same schema and the same answers as over the store.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use axum::{body::Body, middleware::map_request};
use bookstore_server::Server;
use http::Request;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use super::support::{Running, app, call, config};

const BOOK_DETAIL: &str = include_str!("../../../k6/lib/documents/book-detail.graphql");
const OVER_GRPC: &str = "--graphql-upstream=own";
const BATCHING: &str = "--graphql-batching=on";

async fn exchange(running: &Running, head: &str, body: &str) -> (String, String) {
    let mut stream = TcpStream::connect(running.addresses.http1).await.unwrap();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

async fn ask(running: &Running, request: &Value) -> (String, String) {
    exchange(running, "POST /graphql", &request.to_string()).await
}

fn parsed(body: &str) -> Value {
    serde_json::from_str(body).unwrap()
}

fn reads() -> Vec<Value> {
    let mut reads = vec![
        json!({ "query": BOOK_DETAIL, "variables": { "id": "1" } }),
        json!({ "query": BOOK_DETAIL, "variables": { "id": "50" } }),
        json!({ "query": BOOK_DETAIL, "variables": { "id": "51" } }),
        json!({ "query": "query($n: Int) { book(id: 1) { reviews(last: $n) { id } } }", "variables": { "n": 1 } }),
    ];
    let documents = [
        "{ book(id: 1) { id title isbn price } }",
        "{ book(id: 7) { author { id name bio } stock reviews { id reviewer rating text createdAt } } }",
        "{ book(id: 1) { a: reviews(last: 1) { id } b: reviews(last: 2) { id } c: reviews { id } } }",
        "{ book(id: 1) { reviews(last: 0) { id } } }",
        "{ book(id: 1) { author { name } reviews(last: -1) { id } } }",
        "{ a: book(id: 1) { stock } b: book(id: 99) { stock } }",
        "{ book(id: \"x\") { id } }",
        "{ book(id: 1) { ...F } } fragment F on Book { author { name } stock }",
        "{ nope }",
        "{ __schema { types { name fields { name type { name } } } } }",
    ];
    reads.extend(documents.map(|document| json!({ "query": document })));
    reads
}

#[tokio::test]
async fn every_read_is_answered_as_over_the_store() {
    let direct = Running::start(&[]).await;
    for flags in [&[OVER_GRPC][..], &[OVER_GRPC, BATCHING]] {
        let composed = Running::start(flags).await;
        // Twice, as documents are validated the first time and kept for the second.
        for read in reads().into_iter().chain(reads()) {
            let (status, body) = ask(&composed, &read).await;
            let (expected_status, expected) = ask(&direct, &read).await;
            assert_eq!(status, expected_status, "{read}");
            // Root fields may come in another order.
            assert_eq!(parsed(&body), parsed(&expected), "{read}");
            if read["query"] == BOOK_DETAIL {
                assert_eq!(body, expected, "{read}");
            }
        }
        let schema = exchange(&composed, "GET /schema.graphql", "").await;
        assert_eq!(schema, exchange(&direct, "GET /schema.graphql", "").await);
    }
}

#[tokio::test]
async fn the_screen_is_257_bytes_here_too() {
    let composed = Running::start(&[OVER_GRPC, BATCHING]).await;
    let (_, body) = ask(&composed, &reads()[0]).await;
    assert_eq!(body.len(), 257);
}

#[tokio::test]
async fn orders_are_reserved_and_refused_by_the_service_behind() {
    let composed = Running::start(&[OVER_GRPC, "--stock=1"]).await;
    let order = |isbn: &str, quantity: i32| {
        json!({
            "query": "mutation($input: ReserveStockInput!) { reserveStock(input: $input) { reservation { orderId } } }",
            "variables": { "input": { "orderId": "o-1", "lines": [{ "isbn": isbn, "quantity": quantity }] } },
        })
    };
    let (_, made) = ask(&composed, &order("9780000000001", 1)).await;
    assert_eq!(
        made,
        r#"{"data":{"reserveStock":{"reservation":{"orderId":"o-1"}}}}"#
    );
    for (isbn, quantity, code, class) in [
        ("9780000000001", 1, "OUT_OF_STOCK", "CONFLICT"),
        ("9780000000002", 0, "INVALID_QUANTITY", "INVALID"),
    ] {
        let (_, refused) = ask(&composed, &order(isbn, quantity)).await;
        let refused: Value = serde_json::from_str(&refused).unwrap();
        let extensions = &refused["errors"][0]["extensions"];
        assert_eq!(
            (&extensions["code"], &extensions["class"]),
            (&json!(code), &json!(class))
        );
    }
}

/// A gRPC server that counts its calls.
async fn counted() -> (std::net::SocketAddr, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&calls);
    let mut app = app(&[]);
    app.h2c = app.h2c.layer(map_request(move |request: Request<Body>| {
        counter.fetch_add(1, Ordering::Relaxed);
        async { request }
    }));
    let server = Server::bind_app(&config(&[]), app).await.unwrap();
    let address = server.addresses().h2c;
    tokio::spawn(server.run(std::future::pending()));
    (address, calls)
}

#[tokio::test]
async fn a_batch_is_one_call_instead_of_three() {
    for (batching, expected) in [("off", 4), ("on", 2)] {
        let (address, calls) = counted().await;
        let app = app(&[
            &format!("--graphql-upstream={address}"),
            &format!("--graphql-batching={batching}"),
        ]);
        let request = Request::post("/graphql").header("content-type", "application/json");
        let body = Body::from(reads()[0].to_string());
        let answer = call(&app.http1, request.body(body).unwrap()).await;
        assert_eq!(answer.body.len(), 257);
        assert_eq!(calls.load(Ordering::Relaxed), expected, "{batching}");
    }
}

#[tokio::test]
async fn services_that_cannot_be_reached_are_named_as_the_cause() {
    let app = app(&["--graphql-upstream=127.0.0.1:1"]);
    let body = json!({ "query": "{ book(id: 1) { title } }" }).to_string();
    let request = Request::post("/graphql").header("content-type", "application/json");
    let answer = call(&app.http1, request.body(Body::from(body)).unwrap()).await;
    let answer = answer.json();
    assert_eq!(answer["data"]["book"], Value::Null);
    let error = &answer["errors"][0];
    assert_eq!(error["extensions"]["code"], "UPSTREAM_FAILED");
    let text = error["message"].as_str().unwrap();
    assert!(text.starts_with("the gRPC server gave no answer"), "{text}");
}
