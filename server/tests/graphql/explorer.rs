//! The schema text and the page for browsers.

use http::header;
use serde_json::json;

use crate::client::Client;

#[tokio::test]
async fn a_browser_gets_a_page_that_loads_nothing_else() {
    let client = Client::cached();
    let reply = client
        .get("/graphql?query=%7B__typename%7D", "text/html,*/*;q=0.8")
        .await;
    assert_eq!(reply.status, 200);
    assert!(reply.header(header::CONTENT_TYPE).starts_with("text/html"));
    assert!(
        reply
            .header(header::CONTENT_SECURITY_POLICY)
            .contains("default-src 'none'")
    );
    let page = String::from_utf8(reply.body).unwrap();
    for outside in ["http://", "https://", "src=", "<link", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[tokio::test]
async fn the_queries_built_into_the_page_are_answered() {
    let client = Client::cached();
    let page = client.get("/graphql", "text/html").await.body;
    let page = String::from_utf8(page).unwrap();
    let between = |start: &str, end: &str| {
        let from = page.find(start).unwrap() + start.len();
        page[from..from + page[from..].find(end).unwrap()].to_owned()
    };
    let example = between("const example = `", "`;");
    let answer = client
        .post(&json!({ "query": example, "variables": { "id": "1" } }))
        .await
        .json();
    assert_eq!(answer["data"]["book"]["stock"], 42, "{answer}");
    let ty = between("const type = '", "';");
    let introspection = between("const query = `", "`;").replace("${type}", &ty);
    let answer = client.post(&json!({ "query": introspection })).await.json();
    assert!(answer.get("errors").is_none(), "{answer}");
    assert!(
        answer["data"]["__schema"]["types"]
            .as_array()
            .unwrap()
            .len()
            > 5
    );
}

#[tokio::test]
async fn the_schema_text_lists_both_operations() {
    let reply = Client::cached().get("/schema.graphql", "*/*").await;
    let sdl = String::from_utf8(reply.body).unwrap();
    for part in [
        "book(id: ID!): Book\n",
        "reserveStock(input: ReserveStockInput!): ReserveStockPayload!",
        "input ReserveStockInput {",
        "lines: [OrderLineInput!]!",
        "quantity: Int!",
        "price: Float!",
        "last: Int",
        "): [Review!]!",
    ] {
        assert!(sdl.contains(part), "{part} in {sdl}");
    }
}
