//! The document cache changes no answer: a server with it and one without are asked the same.
//!
//! Stock is finite, so a mutation done twice, or not at all, shows in the answers after it.

use bookstore_server::domain::StockLevel;
use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Value, json};

use crate::client::{BOOK_DETAIL, Client, RESERVE_STOCK, Reply};

const STOCK: &str =
    "{ a: book(id: 1) { stock } b: book(id: 2) { stock } c: book(id: 3) { stock } }";

fn selection() -> impl Strategy<Value = String> {
    let parts = select(vec![
        "id",
        "title",
        "t: title",
        "isbn price",
        "stock",
        "author { name bio }",
        "author",
        "reviews { id createdAt }",
        "reviews(last: 2) { reviewer rating text }",
        "reviews(last: -1) { text }",
        "reviews(last: 5000) { text }",
        "reviews(last: $n) { text }",
        "reviews(last: $x) { text }",
        "...F",
        "... on Book { isbn }",
        "... on Author { name }",
        "... @include(if: $flag) { isbn }",
        "title @skip(if: true)",
        "title @include(if: $flag)",
        "title @nope",
        "__typename",
        "nope",
    ]);
    vec(parts, 1..4).prop_map(|parts| parts.join(" "))
}

fn book_query() -> impl Strategy<Value = String> {
    let declared = select(vec![
        "($id: ID!)",
        "($id: ID)",
        "($id: String!)",
        "($id: Int!)",
        "($id: Nope!)",
        "($id: [ID!]!)",
        "($id: ID! = \"2\")",
        "($id: ID!, $n: Int)",
        "($id: ID!, $n: Int!, $flag: Boolean!)",
        "($id: ID!, $id: ID!)",
        "($x: ID!)",
        "",
    ]);
    let argument = select(vec![
        "$id", "$x", "\"1\"", "1", "[1]", "\"99\"", "null", "true",
    ]);
    let tail = select(vec![
        "",
        " fragment F on Book { title }",
        " fragment F on Book { reviews(last: $n) { id } }",
        " fragment F on Book { ...F }",
        " query R { __typename }",
        " query R { __typename } fragment F on Book { stock }",
        " mutation M { nope }",
    ]);
    (declared, argument, selection(), tail).prop_map(|(declared, argument, selection, tail)| {
        format!("query Q{declared} {{ book(id: {argument}) {{ {selection} }} }}{tail}")
    })
}

fn reserve_mutation() -> impl Strategy<Value = String> {
    let declared = select(vec![
        "($input: ReserveStockInput!)",
        "($input: ReserveStockInput)",
        "($input: OrderLineInput!)",
        "($input: ReserveStockInput! = {orderId: \"d\", lines: []})",
        "($input: ReserveStockInput!, $lines: [OrderLineInput!]!)",
        "($lines: [OrderLineInput!]!)",
        "($lines: [OrderLineInput!]! = [])",
        "",
    ]);
    let argument = select(vec![
        "$input",
        "{orderId: \"o\", lines: $lines}",
        "{orderId: \"o\", lines: [{isbn: \"9780000000001\", quantity: 1}]}",
        "{orderId: \"o\", lines: [{isbn: \"9780000000001\", quantity: \"1\"}]}",
        "{orderId: \"o\", lines: {isbn: \"9780000000002\", quantity: 1}}",
        "{orderId: \"o\", lines: [{isbn: \"9780000000001\", quantity: 3000000000}]}",
        "{orderId: \"o\"}",
    ]);
    let more = select(vec![
        "",
        "b: reserveStock(input: $input) { reservation { orderId } }",
        "__typename",
        "b: nope",
    ]);
    (declared, argument, more).prop_map(|(declared, argument, more)| {
        format!(
            "mutation Q{declared} {{ reserveStock(input: {argument}) \
             {{ reservation {{ reservationId orderId expiresAt }} }} {more} }}"
        )
    })
}

fn document() -> impl Strategy<Value = String> {
    let fixed = select(vec![
        String::new(),
        "{".to_owned(),
        "\u{0}".to_owned(),
        "{ __typename }".to_owned(),
        "{ __typename }\u{0}Q".to_owned(),
        "query($name: String!) { __type(name: $name) { name kind } }".to_owned(),
        "{ a ".repeat(40) + &"}".repeat(40),
        "{ a ".repeat(9_000),
        "{ ...A } fragment A on Query { ...A }".to_owned(),
    ]);
    prop_oneof![
        3 => Just(RESERVE_STOCK.to_owned()),
        3 => Just(BOOK_DETAIL.to_owned()),
        4 => book_query(),
        4 => reserve_mutation(),
        1 => fixed,
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    select(vec![
        json!("1"),
        json!("2"),
        json!("99"),
        json!("x"),
        json!(1),
        json!(2),
        json!(-1),
        json!(2_147_483_648_u64),
        json!(u64::MAX),
        json!(1.0),
        json!(true),
        json!(null),
        json!([]),
        json!(["1"]),
        json!({}),
    ])
}

fn line() -> impl Strategy<Value = Value> {
    let good = (1..4_u32, 1..3_i32).prop_map(
        |(book, copies)| json!({ "isbn": format!("97800000{book:05}"), "quantity": copies }),
    );
    prop_oneof![
        8 => good,
        1 => leaf(),
        1 => (leaf(), leaf()).prop_map(|(isbn, quantity)| json!({ "isbn": isbn, "quantity": quantity })),
        1 => leaf().prop_map(|isbn| json!({ "isbn": isbn })),
        1 => leaf().prop_map(|extra| json!({ "quantity": 1, "isbn": "9780000000001", "extra": extra })),
        1 => Just(json!({ "quantity": 1, "isbn": "9780000000001" })),
    ]
}

fn input() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => vec(line(), 0..4).prop_map(|lines| json!({ "orderId": "ord-1", "lines": lines })),
        1 => leaf(),
        1 => (leaf(), line()).prop_map(|(id, line)| json!({ "orderId": id, "lines": line })),
        1 => vec(line(), 1..3).prop_map(|lines| json!({ "lines": lines, "order": "ord-1" })),
    ]
}

fn variables() -> impl Strategy<Value = Option<Value>> {
    option::weighted(
        0.9,
        prop_oneof![
            4 => leaf().prop_map(|id| json!({ "id": id })),
            4 => input().prop_map(|input| json!({ "input": input })),
            2 => vec(line(), 0..3).prop_map(|lines| json!({ "lines": lines })),
            1 => (leaf(), leaf(), leaf())
                .prop_map(|(id, n, flag)| json!({ "id": id, "n": n, "flag": flag })),
            1 => (input(), leaf()).prop_map(|(input, extra)| json!({ "input": input, "extra": extra })),
            1 => leaf().prop_map(|x| json!({ "x": x, "name": "Book" })),
            1 => Just(json!(null)),
            1 => Just(json!({})),
        ],
    )
}

/// Few documents and many requests, so that most documents come back.
fn session() -> impl Strategy<Value = Vec<Value>> {
    let name = option::weighted(0.3, select(vec!["Q", "R", "M", "BookDetailForScreen", ""]));
    (
        vec(document(), 1..4),
        vec((any::<prop::sample::Index>(), variables(), name), 2..10),
    )
        .prop_map(|(documents, requests)| {
            requests
                .into_iter()
                .map(|(which, variables, name)| {
                    let mut body = json!({ "query": which.get(&documents) });
                    if let Some(variables) = variables {
                        body["variables"] = variables;
                    }
                    if let Some(name) = name {
                        body["operationName"] = json!(name);
                    }
                    body
                })
                .collect()
        })
}

/// The answer without what differs between any two reservations, and with the errors in an order
/// of their own: async-graphql reports some of them in the order of a hash map.
fn comparable(reply: &Reply) -> (u16, Value) {
    let mut answer = reply.json();
    mask(&mut answer);
    if let Some(errors) = answer["errors"].as_array_mut() {
        errors.sort_by_key(ToString::to_string);
    }
    (reply.status.as_u16(), answer)
}

fn mask(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(mask),
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), &value) {
                    ("reservationId", Value::String(id)) => assert_eq!(id.len(), 36),
                    ("expiresAt", Value::String(at)) => assert_eq!(at.len(), 20),
                    _ => {
                        mask(value);
                        continue;
                    }
                }
                *value = json!("masked");
            }
        }
        _ => {}
    }
}

async fn compare(session: Vec<Value>) {
    let [cached, uncached] = Client::both(StockLevel::Finite(4));
    for body in session {
        for accept in ["application/json", "application/graphql-response+json"] {
            let left = cached.post_text(accept, body.to_string()).await;
            let right = uncached.post_text(accept, body.to_string()).await;
            assert_eq!(comparable(&left), comparable(&right), "{body}");
        }
    }
    let stock = json!({ "query": STOCK });
    assert_eq!(
        cached.post(&stock).await.json(),
        uncached.post(&stock).await.json()
    );
}

proptest! {
    #[test]
    fn with_the_cache_and_without(session in session()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(compare(session));
    }
}
