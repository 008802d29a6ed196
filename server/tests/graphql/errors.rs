//! Every refusal, on both ways through the engine: each request is sent before and after the
//! document it is made of was kept.

use bookstore_server::domain::StockLevel;
use serde_json::{Value, json};

use crate::client::{BOOK_DETAIL, Client, RESERVE_STOCK, book_detail, order, reserve};

/// Sends `body` to both servers, cold and warm, and expects one code, and every word in the message.
async fn expect(body: &Value, code: &str, words: &[&str]) {
    for client in Client::both(StockLevel::Finite(5)) {
        for round in 0..3 {
            let reply = client.post(body).await;
            assert_eq!(reply.status, 200, "{body}: {:?}", reply.json());
            assert_eq!(reply.code(), code, "{body}: {}", reply.json());
            for word in words {
                assert!(
                    reply.message().contains(word),
                    "{word} in {}",
                    reply.message()
                );
            }
            if round == 0 {
                let warm = client.post(&reserve(&order(1))).await;
                assert!(
                    warm.json().get("errors").is_none(),
                    "the server goes on serving"
                );
                client.post(&book_detail(&json!("2"))).await;
            }
        }
    }
}

fn order_line(isbn: &Value, quantity: &Value) -> Value {
    json!({ "orderId": "ord-1", "lines": [{ "isbn": isbn, "quantity": quantity }] })
}

#[tokio::test]
async fn the_domain_refuses_with_its_own_codes() {
    let isbn = json!("9780000000001");
    expect(
        &reserve(&json!({ "orderId": "", "lines": [] })),
        "EMPTY_ORDER_ID",
        &[],
    )
    .await;
    expect(&reserve(&order(0)), "EMPTY_ORDER", &["at least one"]).await;
    expect(&reserve(&order(61)), "TOO_MANY_LINES", &["61", "60"]).await;
    expect(
        &reserve(&order_line(&isbn, &json!(0))),
        "INVALID_QUANTITY",
        &["0"],
    )
    .await;
    expect(
        &reserve(&order_line(&isbn, &json!(-3))),
        "INVALID_QUANTITY",
        &["-3"],
    )
    .await;
    expect(
        &reserve(&order_line(&isbn, &json!(9))),
        "OUT_OF_STOCK",
        &["9"],
    )
    .await;
    expect(
        &reserve(&order_line(&json!("978"), &json!(1))),
        "UNKNOWN_ISBN",
        &["978"],
    )
    .await;
    expect(&book_detail(&json!("51")), "UNKNOWN_BOOK", &["51", "50"]).await;
    expect(&book_detail(&json!("one")), "BAD_USER_INPUT", &["one"]).await;
    let last = json!({ "query": "{ book(id: 1) { reviews(last: -1) { text } } }" });
    expect(&last, "INVALID_REVIEW_LIMIT", &["-1"]).await;
}

#[tokio::test]
async fn variables_are_judged_before_anything_is_done() {
    let isbn = json!("9780000000001");
    let cases = [
        (json!(null), "$input\" is missing", "ReserveStockInput!"),
        (
            json!({ "input": null }),
            "$input\" is null",
            "ReserveStockInput!",
        ),
        (
            json!({ "input": "x" }),
            "$input\" is \"x\"",
            "ReserveStockInput!",
        ),
        (
            json!({ "input": { "orderId": "o" } }),
            "$input.lines\" is missing",
            "[OrderLineInput!]!",
        ),
        (
            json!({ "input": { "orderId": 7, "lines": [] } }),
            "$input.orderId\" is 7",
            "String!",
        ),
        (
            json!({ "input": { "orderId": "o", "lines": [], "note": 1 } }),
            "$input.note\" is no field",
            "orderId, lines",
        ),
        (
            json!({ "input": order_line(&isbn, &json!("1")) }),
            "$input.lines[0].quantity\" is \"1\"",
            "Int!",
        ),
        (
            json!({ "input": order_line(&isbn, &json!(1.5)) }),
            "$input.lines[0].quantity\" is 1.5",
            "Int!",
        ),
        (
            json!({ "input": order_line(&isbn, &json!(3_000_000_000_u64)) }),
            "$input.lines[0].quantity\" is 3000000000",
            "Int!",
        ),
        (
            json!({ "input": { "orderId": "o", "lines": [null] } }),
            "$input.lines[0]\" is null",
            "OrderLineInput!",
        ),
    ];
    for (variables, place, expected) in cases {
        let body = json!({ "query": RESERVE_STOCK, "variables": variables });
        expect(&body, "BAD_USER_INPUT", &[place, expected]).await;
    }
    expect(
        &book_detail(&json!(true)),
        "BAD_USER_INPUT",
        &["$id\" is true", "ID!"],
    )
    .await;
}

#[tokio::test]
async fn documents_are_judged_before_anything_is_done() {
    let cases = [
        ("", "GRAPHQL_PARSE_FAILED"),
        ("{", "GRAPHQL_PARSE_FAILED"),
        ("not graphql", "GRAPHQL_PARSE_FAILED"),
        ("{ book(id: 1) { nope } }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ book { title } }", "GRAPHQL_VALIDATION_FAILED"),
        (
            "{ book(id: 1, x: 2) { title } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        ("{ book(id: 1) }", "GRAPHQL_VALIDATION_FAILED"),
        ("{ book(id: 1) { ...Nope } }", "GRAPHQL_VALIDATION_FAILED"),
        (
            "query ($a: Nope) { book(id: 1) { title } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        (
            "query ($a: Int) { book(id: 1) { title } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        ("{ book(id: $a) { title } }", "GRAPHQL_VALIDATION_FAILED"),
        (
            "{ book(id: 1) { title @nope } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        (
            "subscription { events { id } }",
            "SUBSCRIPTION_NEEDS_STREAM",
        ),
        (
            "query A { __typename } query B { __typename }",
            "OPERATION_RESOLUTION_FAILURE",
        ),
        (
            "mutation { reserveStock(input: {orderId: \"o\", lines: [{isbn: 1, quantity: 1}]}) \
             { reservation { orderId } } }",
            "GRAPHQL_VALIDATION_FAILED",
        ),
        (
            "mutation { reserveStock(input: {orderId: \"o\", lines: [{isbn: \"9780000000001\", \
             quantity: 3000000000}]}) { reservation { orderId } } }",
            "BAD_USER_INPUT",
        ),
    ];
    for (document, code) in cases {
        expect(&json!({ "query": document }), code, &[]).await;
    }
    let unknown = json!({ "query": "query A { __typename }", "operationName": "B" });
    expect(&unknown, "OPERATION_RESOLUTION_FAILURE", &["\"B\"", "A"]).await;
}

#[tokio::test]
async fn request_errors_have_no_data_and_field_errors_have() {
    let client = Client::cached();
    let refused = client.post(&json!({ "query": "{ nope }" })).await.json();
    assert!(refused.get("data").is_none());
    let unknown = client.post(&book_detail(&json!("99"))).await.json();
    assert_eq!(unknown["data"], json!({ "book": null }));
    assert_eq!(unknown["errors"][0]["path"], json!(["book"]));
    assert_eq!(unknown["errors"][0]["extensions"]["class"], "NOT_FOUND");
}

#[tokio::test]
async fn a_failed_field_makes_the_nearest_nullable_one_null() {
    let client = Client::cached();
    let query = "{ a: book(id: 1) { title reviews(last: -1) { text } } b: book(id: 2) { id } }";
    let answer = client.post(&json!({ "query": query })).await.json();
    assert_eq!(answer["data"], json!({ "a": null, "b": { "id": "2" } }));
    assert_eq!(answer["errors"][0]["path"], json!(["a", "reviews"]));

    let mutation = "mutation($good: ReserveStockInput!, $bad: ReserveStockInput!) {
        a: reserveStock(input: $good) { reservation { orderId } }
        b: reserveStock(input: $bad) { reservation { orderId } } }";
    let variables = json!({ "good": order(1), "bad": order(0) });
    let body = json!({ "query": mutation, "variables": variables });
    let answer = client.post(&body).await.json();
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(answer["errors"][0]["extensions"]["code"], "EMPTY_ORDER");
}

#[tokio::test]
async fn operations_are_chosen_by_name() {
    let document = format!("{BOOK_DETAIL} query Title {{ book(id: 2) {{ title }} }}");
    for client in Client::both(StockLevel::Unlimited) {
        for _ in 0..2 {
            let title = json!({ "query": document, "operationName": "Title" });
            let answer = client.post(&title).await.json();
            assert_eq!(answer["data"]["book"]["title"], "Practical Service Design");
            let detail = json!({
                "query": document, "operationName": "BookDetailForScreen", "variables": { "id": "1" },
            });
            let answer = client.post(&detail).await.json();
            assert_eq!(answer["data"]["book"]["stock"], 42);
        }
    }
}
