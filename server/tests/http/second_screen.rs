//! A screen that the server was not made for.

use http::Request;
use serde_json::{Value, json};

use super::support::{app, call, get};

const CARD: &str = "/api/screens/book-card/1";
const QUERY: &str = "query BookCard($id: ID!) { book(id: $id) { title isbn author { name bio } \
                     reviews(last: 1) { rating createdAt } } }";
/// What the card shows of book 1.
const BODY: &str = concat!(
    r#"{"title":"Practical API Measurement","isbn":"9780000000001","#,
    r#""author":{"name":"Anna-Liisa Virtanen","bio":"Writes about APIs..!"},"#,
    r#""reviews":[{"rating":4,"createdAt":"2026-01-06T00:00:00Z"}]}"#
);

async fn by_graphql(flags: &[&str]) -> String {
    let body = json!({ "query": QUERY, "variables": { "id": "1" } });
    let request = Request::post("/graphql")
        .header("content-type", "application/json")
        .body(body.to_string().into())
        .unwrap();
    call(&app(flags).http1, request).await.text().to_owned()
}

#[tokio::test]
async fn graphql_serves_it_as_it_is_and_rest_needs_its_code() {
    let graphql = format!(r#"{{"data":{{"book":{BODY}}}}}"#);
    assert_eq!(graphql.len(), BODY.len() + 18);
    for flags in [&[][..], &["--second-screen=on"]] {
        assert_eq!(by_graphql(flags).await, graphql);
    }
    assert_eq!(get(&app(&[]).http1, CARD).await.status, 404);
    let card = get(&app(&["--second-screen=on"]).http1, CARD).await;
    assert_eq!((card.status.as_u16(), card.text()), (200, BODY));
    assert_eq!(BODY.len(), 189);
}

/// Without a route of its own the screen takes the resources, with what it does not show.
#[tokio::test]
async fn the_resources_hold_all_of_it() {
    let router = app(&[]).http1;
    let card: Value = serde_json::from_str(BODY).unwrap();
    let book = get(&router, "/api/books/1").await.json();
    let author = get(&router, "/api/authors/1").await.json();
    let review = &get(&router, "/api/books/1/reviews?limit=1").await.json()[0];
    assert_eq!(card["title"], book["title"]);
    assert_eq!(card["isbn"], book["isbn"]);
    for field in ["name", "bio"] {
        assert_eq!(card["author"][field], author[field]);
    }
    for field in ["rating", "createdAt"] {
        assert_eq!(card["reviews"][0][field], review[field]);
    }
}
