//! HTTP caching, off and on.

use axum::body::Body;
use http::Request;
use serde_json::json;

use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::support::{Answer, Running, app, call, get, order_json, post_order, read_until};

const READS: [&str; 6] = [
    "/api/books/1",
    "/api/books/1?fields=title",
    "/api/books/1/stock",
    "/api/books/1/reviews?limit=2",
    "/api/authors/1",
    "/api/screens/book-detail/1",
];
const QUERY: &str = "/graphql?query=%7Bbook(id:1)%7Btitle%7D%7D";

async fn get_if_changed(flags: &[&str], path: &str, tag: &str) -> Answer {
    let request = Request::get(path)
        .header("if-none-match", tag)
        .body(Body::empty())
        .unwrap();
    call(&app(flags).http1, request).await
}

fn is_uncached(answer: &Answer) -> bool {
    ["etag", "cache-control", "vary"]
        .iter()
        .all(|name| !answer.headers.contains_key(*name))
}

#[tokio::test]
async fn without_the_flag_no_answer_has_a_further_header() {
    let router = app(&[]).http1;
    for path in READS.into_iter().chain([QUERY]) {
        let answer = get(&router, path).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.headers.len(), 2, "{answer:?}");
        assert!(is_uncached(&answer), "{answer:?}");
    }
}

#[tokio::test]
async fn a_read_has_its_tag_and_age_and_is_not_sent_twice() {
    for (flag, cache_control) in [
        ("--cache-max-age=60", "max-age=60"),
        ("--cache-max-age=0", "no-cache"),
    ] {
        let router = app(&[flag]).http1;
        for path in READS.into_iter().chain([QUERY]) {
            let plain = get(&app(&[]).http1, path).await;
            let answer = get(&router, path).await;
            assert_eq!((answer.status.as_u16(), &answer.body), (200, &plain.body));
            assert_eq!(
                answer.header("content-length"),
                answer.body.len().to_string()
            );
            assert_eq!(answer.header("cache-control"), cache_control);
            let tag = answer.header("etag");
            assert_eq!(tag.len(), 18, "{tag}");

            let again = get_if_changed(&[flag], path, tag).await;
            assert_eq!(
                (again.status.as_u16(), again.body.len()),
                (304, 0),
                "{path}"
            );
            assert_eq!(again.header("etag"), tag);
            assert_eq!(again.header("cache-control"), cache_control);
            assert!(!again.headers.contains_key("content-type"));
            assert!(!again.headers.contains_key("content-length"), "{again:?}");

            let other = get_if_changed(&[flag], path, "\"0000000000000000\"").await;
            assert_eq!(other.body, plain.body);
        }
    }
}

#[tokio::test]
async fn different_answers_have_different_tags() {
    let router = app(&["--cache-max-age=60"]).http1;
    let mut tags = Vec::new();
    for path in READS {
        tags.push(get(&router, path).await.header("etag").to_owned());
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), READS.len());
}

#[tokio::test]
async fn stock_that_changed_is_sent_again() {
    let router = app(&["--cache-max-age=0", "--stock=3"]).http1;
    let before = get(&router, "/api/books/1/stock").await;
    assert_eq!(post_order(&router, order_json(1)).await.status, 201);
    let request = Request::get("/api/books/1/stock")
        .header("if-none-match", before.header("etag"))
        .body(Body::empty())
        .unwrap();
    let after = call(&router, request).await;
    assert_eq!(after.status, 200);
    assert_eq!(after.json(), json!({ "bookId": 1, "available": 2 }));
}

#[tokio::test]
async fn what_is_no_read_or_no_success_is_never_cached() {
    let router = app(&["--cache-max-age=60", "--graphql-persisted=automatic"]).http1;
    assert!(is_uncached(&post_order(&router, order_json(1)).await));
    let missing = format!(
        "/graphql?extensions=%7B%22persistedQuery%22:%7B%22version%22:1,%22sha256Hash%22:%22{}%22%7D%7D",
        "0".repeat(64)
    );
    for path in [
        "/api/books/99",
        "/api/books/x",
        "/nowhere",
        "/graphql?query=%7Bbook(id:99)%7Btitle%7D%7D",
        "/graphql?query=%7Bnope%7D",
        &missing,
    ] {
        let answer = get(&router, path).await;
        assert!(is_uncached(&answer), "{path}: {answer:?}");
    }
    let by_post = Request::post("/graphql")
        .header("content-type", "application/json")
        .body(
            json!({ "query": "{ book(id: 1) { title } }" })
                .to_string()
                .into(),
        )
        .unwrap();
    let answer = call(&router, by_post).await;
    assert_eq!(answer.status, 200);
    assert!(is_uncached(&answer), "{answer:?}");
    let grpc_web = Request::post("/bookstore.bench.v1.CatalogService/GetBookDetail")
        .header("content-type", "application/grpc-web+proto")
        .body(vec![0, 0, 0, 0, 2, 8, 1].into())
        .unwrap();
    let answer = call(&router, grpc_web).await;
    assert_eq!(answer.status, 200);
    assert!(is_uncached(&answer), "{answer:?}");
}

/// A 304 has neither a body nor a length of one, so what follows on the connection is understood.
#[tokio::test]
async fn on_the_wire_a_304_is_a_head_alone() {
    let running = Running::start(&["--cache-max-age=0"]).await;
    let mut stream = TcpStream::connect(running.addresses.http1).await.unwrap();
    let read = b"GET /api/books/1/stock HTTP/1.1\r\nHost: x\r\n\r\n";
    stream.write_all(read).await.unwrap();
    let full = read_until(&mut stream, "}").await;
    let tag = full.split("etag: ").nth(1).unwrap().split("\r\n").next();
    let again = format!(
        "GET /api/books/1/stock HTTP/1.1\r\nHost: x\r\nIf-None-Match: {}\r\n\r\n",
        tag.unwrap()
    );
    for _ in 0..2 {
        stream.write_all(again.as_bytes()).await.unwrap();
        let head = read_until(&mut stream, "\r\n\r\n").await;
        assert!(head.starts_with("HTTP/1.1 304 Not Modified\r\n"), "{head}");
        assert!(
            head.ends_with("\r\n\r\n") && !head.contains("content-length"),
            "{head}"
        );
    }
    stream.write_all(read).await.unwrap();
    let full = read_until(&mut stream, "}").await;
    assert!(full.ends_with(r#"{"bookId":1,"available":42}"#), "{full}");
}
