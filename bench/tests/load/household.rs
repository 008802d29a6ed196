//! Users and expenses of a server that answers well: two of each.

use bookstore_proto::v1;
use prost::Message;
use serde_json::{Value, json};

use crate::server::{Ask, Reply, framed};

/// The answer, if the question is about expenses.
pub fn household(ask: &Ask) -> Option<Reply> {
    let (_, path) = ask.line.split_once(' ').unwrap();
    if path == "/graphql" {
        let request: Value = serde_json::from_slice(&ask.body).unwrap();
        let query = request["query"].as_str().unwrap_or_default();
        return query.contains("getExpenses").then(|| answer(query));
    }
    let query = path.strip_prefix("/api/v1/")?;
    let data = match query {
        "users" => json!([user("u1"), user("u2")]),
        _ if query.contains("fields=price") => json!([{ "price": 1 }, { "price": 2 }]),
        _ if query.contains("expand=payee") => json!([expense(user("u1")), expense(user("u2"))]),
        _ => {
            let named = |id: &str| expense(json!({ "id": id, "username": "test1" }));
            json!([named("u1"), named("u2")])
        }
    };
    Some(Reply::json(200, &json!({ "data": data })))
}

fn answer(query: &str) -> Reply {
    let prices = json!([{ "price": 1 }, { "price": 2 }]);
    let data = if query.contains("first:") {
        json!({ "first": prices, "second": prices, "third": prices, "fourth": prices })
    } else if query.contains("payee") {
        json!({ "getExpenses": [expense(user("u1")), expense(user("u2"))] })
    } else {
        json!({ "getExpenses": prices })
    };
    Reply::json(200, &json!({ "data": data }))
}

fn user(id: &str) -> Value {
    let moment = "2020-01-01T00:00:00.000Z";
    json!({ "id": id, "username": "test1", "createdAt": moment, "updatedAt": moment })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it becomes part of the expense"
)]
fn expense(payee: Value) -> Value {
    let moment = "2020-02-01T00:00:00.000Z";
    json!({
        "id": "e1", "title": "T", "description": "D", "price": 1, "resolved": false, "date": moment,
        "createdAt": moment, "updatedAt": moment, "payee": payee, "tags": [],
    })
}

/// The same over gRPC: with a mask prices alone.
pub fn list(message: &[u8]) -> bytes::Bytes {
    let request = v1::ListExpensesRequest::decode(message).unwrap();
    let payee = v1::User {
        created_at: "2020-01-01T00:00:00.000Z".to_owned(),
        ..v1::User::default()
    };
    let whole = v1::Expense {
        id: "e1".to_owned(),
        price_cents: 1,
        payee: Some(payee),
        ..v1::Expense::default()
    };
    let price = v1::Expense {
        price_cents: 1,
        ..v1::Expense::default()
    };
    let one = if request.field_mask.is_some() {
        price
    } else {
        whole
    };
    framed(&v1::ListExpensesResponse {
        expenses: vec![one; request.limit.try_into().unwrap()],
    })
}
