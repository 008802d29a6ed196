//! Documents by hash and by id.

use bookstore_server::{
    domain::StockLevel,
    graphql::{GraphqlConfig, PersistedDocuments},
};
use serde_json::{Value, json};

use crate::client::{BOOK_DETAIL, Client, RESERVE_STOCK, book_detail, order};

const JSON: &str = "application/json";
/// By `sha256sum k6/lib/documents/book-detail.graphql`.
const BOOK_DETAIL_HASH: &str = "cba954bfeb2daa075a74637de994ada1701946ab7df2f308b7460b5747cef341";
const TITLE: &str = "{ book(id: 1) { title } }";
/// By `printf '{ book(id: 1) { title } }' | sha256sum`.
const TITLE_HASH: &str = "90cca570acc0be2d18725f5f0d350b32ccf7f14f84d3cab1ebc6ccd983cd1f9d";

fn client(persisted: PersistedDocuments, document_cache: bool) -> Client {
    let config = GraphqlConfig {
        persisted,
        document_cache,
        ..GraphqlConfig::default()
    };
    Client::new(&config, StockLevel::Unlimited)
}

fn clients(persisted: PersistedDocuments) -> [Client; 2] {
    [true, false].map(|document_cache| client(persisted, document_cache))
}

fn extensions(hash: &str) -> Value {
    json!({ "persistedQuery": { "version": 1, "sha256Hash": hash } })
}

fn by_hash(hash: &str) -> Value {
    json!({ "extensions": extensions(hash) })
}

#[tokio::test]
async fn a_hash_is_asked_for_sent_once_and_known_from_then_on() {
    for client in clients(PersistedDocuments::Automatic) {
        let unknown = client.post(&by_hash(TITLE_HASH)).await;
        assert_eq!(unknown.status, 200);
        assert_eq!(unknown.message(), "PersistedQueryNotFound");
        assert_eq!(unknown.code(), "PERSISTED_QUERY_NOT_FOUND");

        let both = json!({ "query": TITLE, "extensions": extensions(TITLE_HASH) });
        let first = client.post(&both).await;
        let expected = json!({ "data": { "book": { "title": "Practical API Measurement" } } });
        assert_eq!(first.json(), expected);
        assert_eq!(client.post(&by_hash(TITLE_HASH)).await.json(), expected);
        let path = format!("/graphql?extensions={}", encoded(&extensions(TITLE_HASH)));
        assert_eq!(client.get(&path, JSON).await.json(), expected);
    }
}

#[tokio::test]
async fn the_screen_by_hash_or_id_is_the_screen_in_fewer_bytes() {
    for client in clients(PersistedDocuments::Automatic) {
        let full = client.post(&book_detail(&json!("1"))).await;
        assert_eq!(full.body.len(), 257);
        let by_hash = format!(
            "{{\"extensions\":{{\"persistedQuery\":{{\"version\":1,\"sha256Hash\":\"{BOOK_DETAIL_HASH}\"}}}},\
             \"variables\":{{\"id\":\"1\"}}}}"
        );
        let by_id = r#"{"documentId":"b","variables":{"id":"1"}}"#;
        assert_eq!((by_hash.len(), by_id.len()), (150, 41));
        for body in [by_hash, by_id.to_owned()] {
            assert_eq!(client.post_text("*/*", body).await.body, full.body);
        }
        let by_get = "/graphql?documentId=b&variables=%7B%22id%22:%221%22%7D";
        assert_eq!(client.get(by_get, JSON).await.body, full.body);
    }
}

#[tokio::test]
async fn an_order_by_id_is_reserved_by_post_alone() {
    for client in clients(PersistedDocuments::AllowList) {
        let variables = json!({ "input": order(2) });
        let body = json!({ "documentId": "a", "variables": variables });
        let reply = client.post(&body).await;
        assert_eq!(reply.body.len(), 151, "{reply:?}");
        let path = format!("/graphql?documentId=a&variables={}", encoded(&variables));
        assert_eq!(client.get(&path, JSON).await.status, 405);
    }
}

#[tokio::test]
async fn a_document_that_fails_is_not_kept() {
    let client = client(PersistedDocuments::Automatic, true);
    let document = "{ nope }";
    // By `printf '{ nope }' | sha256sum`.
    let hash = "a0276661df3f6318da2313fd98fbe50f1e2be566dbf8092c5e0530cf0ca232d9";
    let both = json!({ "query": document, "extensions": extensions(hash) });
    assert_eq!(client.post(&both).await.code(), "GRAPHQL_VALIDATION_FAILED");
    let reply = client.post(&by_hash(hash)).await;
    assert_eq!(reply.message(), "PersistedQueryNotFound");
}

#[tokio::test]
async fn a_hash_that_is_not_the_documents_is_refused_and_nothing_is_kept() {
    let client = client(PersistedDocuments::Automatic, true);
    let other = "0".repeat(64);
    let lie = json!({ "query": TITLE, "extensions": extensions(&other) });
    let reply = client.post(&lie).await;
    assert_eq!(
        (reply.status.as_u16(), reply.code().as_str()),
        (400, "BAD_REQUEST")
    );
    assert!(
        reply.message().contains("sha256Hash"),
        "{}",
        reply.message()
    );
    let reply = client.post(&by_hash(&other)).await;
    assert_eq!(reply.message(), "PersistedQueryNotFound");
}

#[tokio::test]
async fn malformed_references_are_told_apart() {
    let client = client(PersistedDocuments::Automatic, true);
    for (reference, words) in [
        (
            json!({ "version": 2, "sha256Hash": TITLE_HASH }),
            "version is not 1",
        ),
        (json!({ "sha256Hash": TITLE_HASH }), "version is not 1"),
        (json!({ "version": 1 }), "64 hexadecimal digits"),
        (
            json!({ "version": 1, "sha256Hash": "abc" }),
            "64 hexadecimal digits",
        ),
        (json!("abc"), "version is not 1"),
    ] {
        let body = json!({ "extensions": { "persistedQuery": reference } });
        let reply = client.post(&body).await;
        assert_eq!(reply.status, 400);
        assert!(reply.message().contains(words), "{}", reply.message());
    }
    let twice = json!({ "documentId": "b", "query": TITLE });
    assert!(client.post(&twice).await.message().contains("documentId"));
    let unknown = client.post(&json!({ "documentId": "z" })).await;
    assert_eq!(unknown.code(), "DOCUMENT_NOT_LISTED");
    assert!(unknown.message().contains("a, b"), "{}", unknown.message());
}

#[tokio::test]
async fn an_allow_list_lets_nothing_else_pass() {
    for client in clients(PersistedDocuments::AllowList) {
        for body in [
            book_detail(&json!("1")),
            json!({ "query": BOOK_DETAIL, "variables": { "id": "1" },
                    "extensions": extensions(BOOK_DETAIL_HASH) }),
        ] {
            assert_eq!(client.post(&body).await.body.len(), 257);
        }
        for body in [
            json!({ "query": TITLE }),
            json!({ "query": TITLE, "extensions": extensions(TITLE_HASH) }),
            json!({ "query": format!("{RESERVE_STOCK} ") }),
        ] {
            let reply = client.post(&body).await;
            assert_eq!(reply.code(), "DOCUMENT_NOT_LISTED", "{reply:?}");
        }
        let reply = client.post(&by_hash(TITLE_HASH)).await;
        assert_eq!(reply.message(), "PersistedQueryNotFound");
    }
}

#[tokio::test]
async fn switched_off_a_reference_is_told_so_and_a_sent_document_is_executed() {
    for client in clients(PersistedDocuments::Off) {
        for body in [by_hash(BOOK_DETAIL_HASH), json!({ "documentId": "b" })] {
            let reply = client.post(&body).await;
            assert_eq!(reply.message(), "PersistedQueryNotSupported");
            assert_eq!(reply.code(), "PERSISTED_QUERY_NOT_SUPPORTED");
        }
        let both = json!({ "query": TITLE, "extensions": extensions(TITLE_HASH) });
        assert!(client.post(&both).await.json().get("errors").is_none());
    }
}

/// Percent-encoded for a query string.
fn encoded(value: &Value) -> String {
    value
        .to_string()
        .bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
