//! Methods, media types, status codes and malformed requests.

use axum::body::Body;
use bookstore_server::{domain::StockLevel, graphql::GraphqlConfig};
use http::{Request, header};
use serde_json::json;

use crate::client::{Client, RESERVE_STOCK, book_detail, order};

const JSON: &str = "application/json; charset=utf-8";
const GRAPHQL: &str = "application/graphql-response+json; charset=utf-8";

#[tokio::test]
async fn the_media_type_decides_the_status_of_request_errors() {
    let client = Client::cached();
    for document in ["{", "{ nope }", "query($a: ID!) { book(id: $a) { id } }"] {
        let body = json!({ "query": document }).to_string();
        let reply = client.post_text("application/json", body.clone()).await;
        assert_eq!(
            (reply.status.as_u16(), reply.header(header::CONTENT_TYPE)),
            (200, JSON)
        );
        let reply = client
            .post_text("application/graphql-response+json", body)
            .await;
        assert_eq!(
            (reply.status.as_u16(), reply.header(header::CONTENT_TYPE)),
            (400, GRAPHQL)
        );
        assert!(reply.json().get("data").is_none());
    }
    let unknown_book = book_detail(&json!("99")).to_string();
    let reply = client
        .post_text("application/graphql-response+json", unknown_book)
        .await;
    assert_eq!(reply.status, 200, "a field error is part of an answer");
}

#[tokio::test]
async fn malformed_requests_are_400_with_a_reason() {
    let client = Client::cached();
    let cases = [
        ("", "BAD_REQUEST", "empty"),
        ("  ", "BAD_REQUEST", "empty"),
        ("{ \"not a JSON", "BAD_REQUEST", "line 1"),
        ("\u{7f}\u{0}", "BAD_REQUEST", "line 1"),
        ("null", "BAD_REQUEST", "null"),
        ("{}", "BAD_REQUEST", "`query`"),
        (r#"{"query":1}"#, "BAD_REQUEST", "1"),
        (r#"{"query":null}"#, "BAD_REQUEST", "null"),
        (
            r#"{"query":"{a}","query":"{b}"}"#,
            "BAD_REQUEST",
            "duplicate",
        ),
        (r#"{"query":"{a}","variables":[1]}"#, "BAD_REQUEST", "map"),
        (r#"{"query":"{a}","variables":"{}"}"#, "BAD_REQUEST", "map"),
        (
            r#"{"query":"{a}","operationName":1}"#,
            "BAD_REQUEST",
            "string",
        ),
        (r#"{"query":"{a}","extensions":1}"#, "BAD_REQUEST", "map"),
        (
            r#"{"query":"{a}","varaibles":{}}"#,
            "BAD_REQUEST",
            "varaibles",
        ),
        (r#"[{"query":"{a}"}]"#, "BATCH_NOT_SUPPORTED", "one request"),
    ];
    for accept in ["application/json", "application/graphql-response+json"] {
        for (body, code, word) in cases {
            let reply = client.post_text(accept, body).await;
            assert_eq!(reply.status, 400, "{body}");
            assert_eq!(reply.code(), code, "{body}");
            assert!(
                reply.message().contains(word),
                "{word} in {}",
                reply.message()
            );
        }
        let nested = format!(
            "{{\"query\":\"{{a}}\",\"variables\":{{\"a\":{}",
            "[".repeat(99_999)
        );
        assert_eq!(client.post_text(accept, nested).await.status, 400);
        let not_utf8 = Body::from(&b"{\"query\":\"\xff\"}"[..]);
        assert_eq!(client.post_text(accept, not_utf8).await.status, 400);
    }
}

#[tokio::test]
async fn the_body_limit_is_413_and_names_itself() {
    let config = GraphqlConfig {
        max_body_bytes: 200,
        ..GraphqlConfig::default()
    };
    let client = Client::new(&config, StockLevel::Unlimited);
    let reply = client.post(&json!({ "query": "x".repeat(200) })).await;
    assert_eq!(
        (reply.status.as_u16(), reply.code()),
        (413, "BODY_TOO_LARGE".into())
    );
    assert!(reply.message().contains("200 bytes"));
    assert_eq!(client.post(&book_detail(&json!("1"))).await.body.len(), 257);
}

#[tokio::test]
async fn other_content_types_and_methods_are_refused() {
    let client = Client::cached();
    let body = book_detail(&json!("1")).to_string();
    for content_type in [
        "text/plain",
        "application/graphql",
        "application/json; charset=utf-16",
    ] {
        let request = Request::post("/graphql")
            .header(header::CONTENT_TYPE, content_type)
            .body(body.clone().into())
            .unwrap();
        let reply = client.send(request).await;
        assert_eq!(reply.status, 415);
        assert!(reply.message().contains(content_type));
    }
    let untyped = Request::post("/graphql").body(body.clone().into()).unwrap();
    assert_eq!(client.send(untyped).await.status, 415);
    let reply = client.post_text("image/png", body).await;
    assert_eq!(
        (reply.status.as_u16(), reply.code()),
        (406, "NOT_ACCEPTABLE".into())
    );
    for method in ["PUT", "DELETE", "PATCH"] {
        let request = Request::builder()
            .method(method)
            .uri("/graphql")
            .body(Body::empty())
            .unwrap();
        let reply = client.send(request).await;
        assert_eq!(reply.status, 405);
        assert_eq!(reply.header(header::ALLOW), "GET, HEAD, POST");
        assert!(reply.message().contains(method));
    }
}

#[tokio::test]
async fn get_answers_queries_and_refuses_mutations() {
    let client = Client::cached();
    let query = "/graphql?query=query%20Q($id:ID!)%7Bbook(id:$id)%7Btitle%7D%7D\
                 &variables=%7B%22id%22:%221%22%7D&operationName=Q&extensions=%7B%7D";
    for _ in 0..2 {
        let reply = client.get(query, "*/*").await;
        assert_eq!(
            reply.json()["data"]["book"]["title"],
            "Practical API Measurement"
        );
    }
    for (query, word) in [
        ("", "query"),
        ("?query=%7Ba%7D&variables=%5B1%5D", "variables"),
        ("?query=%7Ba%7D&variables=nonsense", "variables"),
        ("?query=%7Ba%7D&nope=1", "nope"),
    ] {
        let reply = client.get(&format!("/graphql{query}"), "*/*").await;
        assert_eq!(reply.status, 400, "{query}");
        assert!(
            reply.message().contains(word),
            "{word} in {}",
            reply.message()
        );
    }
}

#[tokio::test]
async fn a_kept_mutation_is_still_refused_by_get() {
    let client = Client::cached();
    let encode = |text: &str| {
        text.bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect::<Vec<_>>()
            .concat()
    };
    let variables = json!({ "input": order(1) });
    let kept = json!({ "query": RESERVE_STOCK, "variables": variables });
    assert!(client.post(&kept).await.json()["data"].is_object());
    let uri = format!(
        "/graphql?query={}&variables={}",
        encode(RESERVE_STOCK),
        encode(&variables.to_string())
    );
    for accept in ["application/json", "application/graphql-response+json"] {
        let reply = client.get(&uri, accept).await;
        assert_eq!(reply.status, 405);
        assert_eq!(reply.header(header::ALLOW), "POST");
        assert!(reply.json().get("data").is_none());
    }
}
