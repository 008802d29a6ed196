//! Attacks by size and shape are refused before they cost anything.

use bookstore_server::{domain::StockLevel, graphql::GraphqlConfig};
use serde_json::json;

use crate::client::{Client, book_detail};

async fn expect(client: &Client, document: &str, code: &str, words: &[&str]) {
    let reply = client.post(&json!({ "query": document })).await;
    assert_eq!(reply.code(), code, "{}", reply.json());
    for word in words {
        assert!(
            reply.message().contains(word),
            "{word} in {}",
            reply.message()
        );
    }
    let alive = client.post(&book_detail(&json!("1"))).await;
    assert_eq!(alive.body.len(), 257, "the server goes on serving");
}

#[tokio::test]
async fn nesting_is_limited_in_every_form() {
    let client = Client::cached();
    let deep = |levels: usize| "{ a ".repeat(levels) + &"}".repeat(levels);
    expect(&client, &deep(25), "QUERY_TOO_DEEP", &["24"]).await;
    expect(&client, &deep(9_000), "QUERY_TOO_DEEP", &["64"]).await;
    expect(&client, &"{".repeat(60_000), "QUERY_TOO_DEEP", &["64"]).await;
    let list = format!(
        "{{ book(id: {}1{}) {{ id }} }}",
        "[".repeat(9_000),
        "]".repeat(9_000)
    );
    expect(&client, &list, "QUERY_TOO_DEEP", &["64"]).await;
    let ty = format!(
        "query($a: {}Int{}) {{ a }}",
        "[".repeat(9_000),
        "]".repeat(9_000)
    );
    expect(&client, &ty, "QUERY_TOO_DEEP", &["64"]).await;
    let inline = "{ ".to_owned() + &"... { ".repeat(30) + "__typename" + &" }".repeat(31);
    expect(&client, &inline, "QUERY_TOO_DEEP", &["24"]).await;
}

#[tokio::test]
async fn the_deepest_text_that_is_parsed_is_parsed_at_once() {
    let client = Client::cached();
    let levels = "{ a ".repeat(64) + &"}".repeat(64);
    expect(&client, &levels, "QUERY_TOO_DEEP", &["24"]).await;
    for (open, close) in [("[", "]"), ("{a:", "}")] {
        let closed = format!("{}1{}", open.repeat(61), close.repeat(61));
        let document = format!("{{ book(id: {closed}) {{ id }} }}");
        expect(&client, &document, "GRAPHQL_VALIDATION_FAILED", &[]).await;
        let document = format!("{{ book(id: {}", open.repeat(61));
        expect(&client, &document, "GRAPHQL_PARSE_FAILED", &[]).await;
    }
}

#[tokio::test]
async fn brackets_in_strings_and_comments_do_not_nest() {
    let client = Client::cached();
    for text in [
        format!("# {}\n{{ __typename }}", "{".repeat(500)),
        format!(
            "{{ book(id: \"{}\") {{ id }} __typename }}",
            "\\\"[".repeat(100)
        ),
        format!(
            "{{ book(id: \"\"\"{}\"\"\") {{ id }} __typename }}",
            "{ \" ".repeat(100)
        ),
    ] {
        let answer = client.post(&json!({ "query": text })).await.json();
        assert_eq!(answer["data"]["__typename"], "Query", "{answer}");
    }
}

#[tokio::test]
async fn fragments_cannot_multiply() {
    let client = Client::cached();
    let doubling: Vec<String> = (0..20)
        .map(|n| format!("fragment F{n} on Query {{ ...F{} ...F{} }} ", n + 1, n + 1))
        .collect();
    let bomb = format!(
        "{{ ...F0 }} {} fragment F20 on Query {{ __typename }}",
        doubling.concat()
    );
    expect(&client, &bomb, "QUERY_TOO_COMPLEX", &["1048576", "1000"]).await;

    let circle = "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A ...A }";
    expect(&client, circle, "GRAPHQL_VALIDATION_FAILED", &["\"A\""]).await;
    let unused = "{ __typename } fragment A on Query { ...A }";
    expect(&client, unused, "GRAPHQL_VALIDATION_FAILED", &["\"A\""]).await;

    let chain: Vec<String> = (0..1_500)
        .map(|n| format!("fragment F{n} on Query {{ ...F{} }} ", n + 1))
        .collect();
    expect(
        &client,
        &format!("{{ __typename }} {}", chain.concat()),
        "QUERY_TOO_DEEP",
        &["24"],
    )
    .await;
}

#[tokio::test]
async fn cost_counts_aliases_and_reviews() {
    let client = Client::cached();
    let aliases: Vec<String> = (0..1_001).map(|n| format!("a{n}: __typename ")).collect();
    expect(
        &client,
        &format!("{{ {} }}", aliases.concat()),
        "QUERY_TOO_COMPLEX",
        &["1001", "1000"],
    )
    .await;
    let reviews = |last: i64| format!("{{ book(id: 1) {{ reviews(last: {last}) {{ text }} }} }}");
    expect(&client, &reviews(999), "QUERY_TOO_COMPLEX", &["1001"]).await;
    expect(&client, &reviews(i64::MAX), "QUERY_TOO_COMPLEX", &[]).await;
    let fits = client.post(&json!({ "query": reviews(998) })).await.json();
    assert_eq!(fits["data"]["book"]["reviews"].as_array().unwrap().len(), 4);

    let query = "query($n: Int) { book(id: 1) { reviews(last: $n) { text } } }";
    let by_variable = |n: u32| json!({ "query": query, "variables": { "n": n } });
    for _ in 0..2 {
        assert!(
            client
                .post(&by_variable(3))
                .await
                .json()
                .get("errors")
                .is_none()
        );
        assert_eq!(
            client.post(&by_variable(5_000)).await.code(),
            "QUERY_TOO_COMPLEX"
        );
    }
    let default = "query($n: Int = 5000) { book(id: 1) { reviews(last: $n) { text } } }";
    expect(&client, default, "QUERY_TOO_COMPLEX", &["5002"]).await;
}

#[tokio::test]
async fn floods_of_text_and_arguments_are_refused() {
    let client = Client::cached();
    let long = format!("{{ __typename }} #{}", "x".repeat(70_000));
    expect(&client, &long, "QUERY_TOO_LONG", &["65536"]).await;
    let arguments: Vec<String> = (0..5_000).map(|n| format!("a{n}: 1 ")).collect();
    expect(
        &client,
        &format!("{{ book({}) {{ id }} }}", arguments.concat()),
        "QUERY_TOO_COMPLEX",
        &["\"book\"", "5000", "32"],
    )
    .await;
    let directives = "@skip(if: false) ".repeat(2_000);
    expect(
        &client,
        &format!("{{ __typename {directives} }}"),
        "QUERY_TOO_COMPLEX",
        &["2000"],
    )
    .await;
}

#[tokio::test]
async fn introspection_can_be_read_once_and_switched_off() {
    let client = Client::cached();
    let usual =
        "{ __schema { types { fields { args { type { ofType { ofType { name } } } } } } } }";
    assert!(client.post(&json!({ "query": usual })).await.json()["data"].is_object());
    let nested = "{ __schema { types { fields { type { fields { name } } } } } }";
    expect(&client, nested, "QUERY_TOO_DEEP", &["\"fields\""]).await;

    let config = GraphqlConfig {
        introspection: false,
        ..GraphqlConfig::default()
    };
    let closed = Client::new(&config, StockLevel::Unlimited);
    expect(
        &closed,
        usual,
        "INTROSPECTION_DISABLED",
        &["/schema.graphql"],
    )
    .await;
    let hidden = "{ ...F } fragment F on Query { t: __type(name: \"Book\") { name } }";
    expect(&closed, hidden, "INTROSPECTION_DISABLED", &[]).await;
    let typename = closed.post(&json!({ "query": "{ __typename }" })).await;
    assert_eq!(typename.json()["data"]["__typename"], "Query");
}

#[tokio::test]
async fn limits_are_the_configured_ones() {
    let config = GraphqlConfig {
        max_depth: 2,
        max_complexity: 3,
        ..GraphqlConfig::default()
    };
    let client = Client::new(&config, StockLevel::Unlimited);
    let code = async |document: &str| client.post(&json!({ "query": document })).await.code();
    assert_eq!(code("{ book(id: 1) { id title } }").await, "");
    assert_eq!(
        code("{ book(id: 1) { id title isbn } }").await,
        "QUERY_TOO_COMPLEX"
    );
    assert_eq!(
        code("{ book(id: 1) { author { id } } }").await,
        "QUERY_TOO_DEEP"
    );
}
