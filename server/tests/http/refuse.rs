//! Every refusal: its status, its code, a text that names the value, and a server that goes on.

use axum::body::Body;
use http::{Method, Request};
use tokio::{io::AsyncWriteExt, net::TcpStream};

use super::support::{
    Answer, Running, app, call, exchange, get, order_json, post_order, read_until,
};

fn assert_problem(answer: &Answer, status: u16, code: &str, mentions: &[&str]) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/problem+json");
    let problem = answer.json();
    assert_eq!(problem["type"], "about:blank");
    assert_eq!(problem["title"], answer.status.canonical_reason().unwrap());
    assert_eq!(problem["status"], status);
    assert_eq!(problem["code"], code);
    let detail = problem["detail"].as_str().unwrap();
    for mention in mentions {
        assert!(
            detail.contains(mention),
            "{detail:?} does not mention {mention:?}"
        );
    }
}

#[tokio::test]
async fn orders_that_are_not_json() {
    let router = app(&[]).http1;
    for (body, mentions) in [
        ("", ["EOF", "line 1 column 0"]),
        ("{\"orderId\":\n  oops}", ["expected", "line 2 column 3"]),
        (r#"{"orderId":"x","lines":["#, ["EOF", "line 1 column 24"]),
        (
            r#"{"orderId":"x","lines":[]} trailing"#,
            ["trailing", "line 1 column 28"],
        ),
    ] {
        assert_problem(
            &post_order(&router, body).await,
            400,
            "MALFORMED_JSON",
            &mentions,
        );
    }
    let not_utf8: &[u8] = b"{\"orderId\":\"\xff\",\"lines\":[]}";
    let answer = post_order(&router, not_utf8).await;
    assert_problem(&answer, 400, "MALFORMED_JSON", &["unicode"]);
}

#[tokio::test]
async fn orders_of_another_shape() {
    let router = app(&[]).http1;
    let line = r#"{"isbn":"9780000000001","quantity":1}"#;
    for (body, mention) in [
        (
            format!(r#"{{"orderId":"x","lines":[{line}],"note":1}}"#),
            "unknown field `note`",
        ),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":1,"gift":true}]}"#.into(),
            "unknown field `gift`",
        ),
        (
            format!(r#"{{"lines":[{line}]}}"#),
            "missing field `orderId`",
        ),
        (r#"{"orderId":"x"}"#.into(), "missing field `lines`"),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001"}]}"#.into(),
            "missing field `quantity`",
        ),
        (
            format!(r#"{{"orderId":7,"lines":[{line}]}}"#),
            "invalid type: integer `7`, expected a string",
        ),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":"2"}]}"#.into(),
            "invalid type: string \"2\", expected a whole number from",
        ),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":1.5}]}"#.into(),
            "floating point `1.5`",
        ),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":3000000000}]}"#.into(),
            "integer `3000000000`",
        ),
        (
            r#"{"orderId":"x","orderId":"y","lines":[]}"#.into(),
            "duplicate field `orderId`",
        ),
        ("[]".into(), "invalid length 0"),
        ("null".into(), "invalid type: null"),
    ] {
        let answer = post_order(&router, body).await;
        assert_problem(
            &answer,
            422,
            "UNEXPECTED_JSON",
            &[mention, "line 1 column", "/openapi.json"],
        );
    }
}

#[tokio::test]
async fn orders_that_the_rule_never_accepts() {
    let router = app(&["--max-lines=3"]).http1;
    for (body, code, mention) in [
        (
            r#"{"orderId":"","lines":[{"isbn":"9780000000001","quantity":1}]}"#.to_owned(),
            "EMPTY_ORDER_ID",
            "order id",
        ),
        (
            r#"{"orderId":"x","lines":[]}"#.to_owned(),
            "EMPTY_ORDER",
            "no lines",
        ),
        (order_json(4), "TOO_MANY_LINES", "4 lines; at most 3"),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":0}]}"#.to_owned(),
            "INVALID_QUANTITY",
            "0 copies of 9780000000001",
        ),
        (
            r#"{"orderId":"x","lines":[{"isbn":"9780000000001","quantity":-3}]}"#.to_owned(),
            "INVALID_QUANTITY",
            "-3 copies",
        ),
    ] {
        assert_problem(&post_order(&router, body).await, 422, code, &[mention]);
    }
    assert_eq!(post_order(&router, order_json(3)).await.status, 201);
}

#[tokio::test]
async fn the_default_limit_is_5000_lines() {
    let router = app(&[]).http1;
    let line = r#"{"isbn":"9780000000001","quantity":1}"#;
    let order = |lines: usize| {
        format!(
            r#"{{"orderId":"x","lines":[{}]}}"#,
            vec![line; lines].join(",")
        )
    };
    assert_eq!(post_order(&router, order(5_000)).await.status, 201);
    let answer = post_order(&router, order(5_001)).await;
    assert_problem(&answer, 422, "TOO_MANY_LINES", &["5001", "5000"]);
}

#[tokio::test]
async fn orders_that_the_stock_forbids() {
    let router = app(&["--stock=2"]).http1;
    let unknown = r#"{"orderId":"x","lines":[{"isbn":"1234567890123","quantity":1}]}"#;
    let answer = post_order(&router, unknown).await;
    assert_problem(&answer, 409, "UNKNOWN_ISBN", &["line 1", "1234567890123"]);
    for expected in [201, 201, 409] {
        assert_eq!(post_order(&router, order_json(1)).await.status, expected);
    }
    let answer = post_order(&router, order_json(1)).await;
    assert_problem(
        &answer,
        409,
        "OUT_OF_STOCK",
        &["9780000000001", "1 copies", "0 are left"],
    );
    assert_eq!(
        get(&router, "/api/books/1/stock").await.json()["available"],
        0
    );
}

#[tokio::test]
async fn bodies_that_are_not_declared_as_json() {
    let router = app(&[]).http1;
    for media_type in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
    ] {
        let mut request = Request::post("/api/reservations");
        if let Some(media_type) = media_type {
            request = request.header("content-type", media_type);
        }
        let answer = call(&router, request.body(order_json(1).into()).unwrap()).await;
        let sent = media_type.unwrap_or("missing");
        assert_problem(&answer, 415, "NOT_JSON", &[sent, "application/json"]);
    }
    let parameters = Request::post("/api/reservations")
        .header("content-type", "application/json; charset=utf-8")
        .body(order_json(1).into());
    assert_eq!(call(&router, parameters.unwrap()).await.status, 201);
}

#[tokio::test]
async fn things_that_do_not_exist() {
    let router = app(&[]).http1;
    for (path, code, mention) in [
        ("/api/books/0", "UNKNOWN_BOOK", "book 0"),
        ("/api/books/51", "UNKNOWN_BOOK", "1 to 50"),
        ("/api/books/-1/stock", "UNKNOWN_BOOK", "book -1"),
        ("/api/books/99/reviews?limit=2", "UNKNOWN_BOOK", "book 99"),
        ("/api/authors/11", "UNKNOWN_AUTHOR", "1 to 10"),
        (
            "/api/screens/book-detail/2147483647",
            "UNKNOWN_BOOK",
            "book 2147483647",
        ),
        ("/api/books", "UNKNOWN_PATH", "GET /api/books"),
        ("/api/books/1/", "UNKNOWN_PATH", "/api/books/1/"),
        ("/nowhere", "UNKNOWN_PATH", "GET /nowhere"),
    ] {
        assert_problem(&get(&router, path).await, 404, code, &[mention]);
    }
}

#[tokio::test]
async fn rest_is_not_served_on_the_h2c_port() {
    let answer = get(&app(&[]).h2c, "/api/books/1").await;
    assert_problem(&answer, 404, "UNKNOWN_PATH", &["GET /api/books/1"]);
    assert_eq!(get(&app(&[]).h2c, "/").await.status, 200);
}

#[tokio::test]
async fn ids_and_limits_that_are_no_numbers() {
    let router = app(&[]).http1;
    for (path, value) in [
        ("/api/books/one", "\"one\""),
        ("/api/books/1.5/stock", "\"1.5\""),
        ("/api/authors/2147483648", "\"2147483648\""),
        ("/api/books/%20/reviews", "\" \""),
        ("/api/screens/book-detail/%ff", "id"),
    ] {
        assert_problem(&get(&router, path).await, 400, "BAD_ID", &[value]);
    }
    for (query, mention) in [
        ("limit=two", "limit=two"),
        ("limit=", "limit="),
        ("limit=1&limit=2", "duplicate field"),
        ("first=2", "unknown field `first`"),
    ] {
        let answer = get(&router, &format!("/api/books/1/reviews?{query}")).await;
        assert_problem(&answer, 400, "BAD_QUERY", &[mention, query]);
    }
    let answer = get(&router, "/api/books/1/reviews?limit=-2").await;
    assert_problem(&answer, 422, "INVALID_REVIEW_LIMIT", &["-2"]);
}

#[tokio::test]
async fn methods_that_a_path_does_not_answer() {
    let router = app(&[]).http1;
    for (method, path, allow) in [
        (Method::GET, "/api/reservations", "POST"),
        (Method::DELETE, "/api/books/1", "GET,HEAD"),
        (Method::POST, "/api/screens/book-detail/1", "GET,HEAD"),
        (Method::PATCH, "/api/authors/1", "GET,HEAD"),
        (Method::PUT, "/about", "GET,HEAD"),
    ] {
        let request = Request::builder().method(&method).uri(path);
        let answer = call(&router, request.body(Body::empty()).unwrap()).await;
        assert_problem(&answer, 405, "METHOD_NOT_ALLOWED", &[path, method.as_str()]);
        assert_eq!(answer.header("allow"), allow);
    }
}

#[tokio::test]
async fn a_grpc_web_client_is_refused_in_its_own_convention() {
    let request = Request::post("/no.such.Service/Method")
        .header("content-type", "application/grpc-web+proto")
        .body(Body::empty());
    let answer = call(&app(&[]).http1, request.unwrap()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("grpc-status"), "12");
}

#[tokio::test]
async fn bodies_over_the_limit_are_explained_before_the_connection_ends() {
    let server = Running::start(&["--max-body-bytes=1000"]).await;
    let large = "x".repeat(3_000_000);
    let declared = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Connection: close\r\nContent-Length: {}\r\n\r\n{large}",
        large.len()
    );
    let chunked = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{large}\r\n0\r\n\r\n",
        large.len()
    );
    for request in [declared, chunked] {
        let reply = exchange(server.addresses.http1, request.as_bytes()).await;
        assert!(reply.starts_with("HTTP/1.1 413 "), "{reply}");
        assert!(
            reply.contains("BODY_TOO_LARGE") && reply.contains("1000 bytes"),
            "{reply}"
        );
    }
    server.assert_serving().await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_asks_first_need_not_send_a_large_body() {
    let server = Running::start(&["--max-body-bytes=1000"]).await;
    let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
    let head = "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 5000\r\nExpect: 100-continue\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let reply = read_until(&mut stream, "}").await;
    assert!(reply.starts_with("HTTP/1.1 413 "), "{reply}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_body_in_pieces_is_put_together() {
    let server = Running::start(&[]).await;
    let order = order_json(50);
    let (first, rest) = order.split_at(700);
    let request = format!(
        "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
         Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n\
         {:x}\r\n{first}\r\n{:x}\r\n{rest}\r\n0\r\n\r\n",
        first.len(),
        rest.len()
    );
    let reply = exchange(server.addresses.http1, request.as_bytes()).await;
    assert!(reply.starts_with("HTTP/1.1 201 "), "{reply}");
    server.stop().await.unwrap();
}

#[tokio::test]
async fn malformed_http_ends_one_connection_and_not_the_server() {
    let server = Running::start(&[]).await;
    for (garbage, status) in [
        ("\r\n\r\nnonsense\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\nbad header\r\n\r\n", "400"),
        (
            "POST /api/reservations HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "400",
        ),
    ] {
        let reply = exchange(server.addresses.http1, garbage.as_bytes()).await;
        assert!(
            reply.starts_with(&format!("HTTP/1.1 {status} ")),
            "{garbage:?}: {reply:?}"
        );
    }
    let many_headers = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(1_000));
    let reply = exchange(server.addresses.http1, many_headers.as_bytes()).await;
    assert!(reply.starts_with("HTTP/1.1 431 "), "{reply:?}");
    let bad_chunk = "POST /api/reservations HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                     Transfer-Encoding: chunked\r\nConnection: close\r\n\r\nzz\r\n";
    let reply = exchange(server.addresses.http1, bad_chunk.as_bytes()).await;
    assert!(
        reply.starts_with("HTTP/1.1 400 ") && reply.contains("BROKEN_BODY"),
        "{reply:?}"
    );
    server.assert_serving().await;
    server.stop().await.unwrap();
}

#[tokio::test]
async fn a_client_that_leaves_within_its_request_harms_nobody() {
    let server = Running::start(&[]).await;
    for part in [
        "",
        "POST /api/res",
        "POST /api/reservations HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
    ] {
        let mut stream = TcpStream::connect(server.addresses.http1).await.unwrap();
        stream.write_all(part.as_bytes()).await.unwrap();
        drop(stream);
    }
    server.assert_serving().await;
    server.stop().await.unwrap();
}
