//! Expenses that are written, changed and removed, in both styles.

use axum::body::Body;
use http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use super::{EXPENSES, count, one, soap, some_user};
use crate::household::Household;

#[tokio::test]
async fn a_new_expense_is_answered_as_it_is_then_read() {
    let household = Household::open_to_all().await;
    let user = some_user(&household).await;
    let answer = household.send(Method::POST, EXPENSES, &soap(&user)).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let written = answer.data();
    let place = answer.headers["location"].to_str().unwrap();
    assert_eq!(household.get(place).await.data(), written);
    let newest = household.get("/api/v1/expenses?limit=1").await.data();
    assert_eq!(newest[0], written);
    for (field, value) in [
        ("title", json!("Soap \u{1f9fc}")),
        ("description", json!("two\nlines")),
        ("price", json!(250)),
        ("resolved", json!(true)),
        ("date", json!("2030-05-01T10:00:00.000Z")),
        (
            "payee",
            json!({ "id": user["id"], "username": user["username"] }),
        ),
        ("tags", json!(["bath", "home"])),
    ] {
        assert_eq!(written[field], value, "{field}");
    }
    assert_eq!(written["createdAt"], written["updatedAt"]);
    assert_eq!(written["createdAt"].as_str().unwrap().len(), 24);
    assert_eq!(count(&household).await, 5_001);
}

#[tokio::test]
async fn what_may_be_left_out_is_empty_or_now() {
    let household = Household::open_to_all().await;
    let sent = json!({ "title": "Soap", "price": 0 });
    let written = household.send(Method::POST, EXPENSES, &sent).await.data();
    assert_eq!(written["description"], "");
    assert_eq!(written["resolved"], false);
    assert_eq!(written["payee"], Value::Null);
    assert_eq!(written["tags"], json!([]));
    assert_eq!(written["date"], written["createdAt"]);
}

#[tokio::test]
async fn an_expense_is_replaced_with_its_tags_and_keeps_what_names_it() {
    let household = Household::open_to_all().await;
    let user = some_user(&household).await;
    let first = household
        .send(Method::POST, EXPENSES, &soap(&user))
        .await
        .data();
    let path = format!("{EXPENSES}/{}", first["id"].as_str().unwrap());
    let sent = json!({ "title": "Brush", "price": 7, "tags": ["home", "tools"] });
    let answer = household.send(Method::PUT, &path, &sent).await;
    assert_eq!(answer.status, StatusCode::OK);
    let second = answer.data();
    assert_eq!(one(&household, &first["id"]).await, second);
    for field in ["id", "date", "createdAt"] {
        assert_eq!(second[field], first[field], "{field}");
    }
    assert_eq!(second["title"], "Brush");
    assert_eq!(second["description"], "");
    assert_eq!(second["payee"], Value::Null);
    assert_eq!(second["tags"], json!(["home", "tools"]));
    assert!(second["updatedAt"].as_str() >= first["updatedAt"].as_str());
    assert_eq!(count(&household).await, 5_001);
}

#[tokio::test]
async fn a_removed_expense_is_gone_and_its_tags_may_be_used_again() {
    let household = Household::open_to_all().await;
    let user = some_user(&household).await;
    for _ in 0..2 {
        let written = household
            .send(Method::POST, EXPENSES, &soap(&user))
            .await
            .data();
        let path = format!("{EXPENSES}/{}", written["id"].as_str().unwrap());
        let gone = household.delete(&path).await;
        assert_eq!((gone.status, gone.body.len()), (StatusCode::NO_CONTENT, 0));
        for answer in [household.get(&path).await, household.delete(&path).await] {
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
            assert_eq!(answer.json()["code"], "UNKNOWN_EXPENSE");
        }
    }
    assert_eq!(count(&household).await, 5_000);
}

#[tokio::test]
async fn graphql_writes_the_same() {
    let household = Household::open_to_all().await;
    let user = some_user(&household).await;
    let fields = "{id title description price resolved date createdAt updatedAt \
                  payee{id username} tags{name}}";
    let create =
        format!("mutation($new:[ExpenseInput!]!){{createExpenses(expenses:$new){fields}}}");
    let short = json!({ "title": "Brush", "price": 7 });
    let variables = json!({ "new": [soap(&user), short] });
    let answer = household.query_with(&create, &variables).await.json();
    let created = &answer["data"]["createExpenses"];
    assert_eq!(created.as_array().map(Vec::len), Some(2), "{answer}");
    let mut rest = one(&household, &created[0]["id"]).await;
    rest["tags"] = json!([{ "name": "bath" }, { "name": "home" }]);
    assert_eq!(rest, created[0]);
    assert_eq!(one(&household, &created[1]["id"]).await["title"], "Brush");

    let update = format!(
        "mutation($id:ID!,$expense:ExpenseInput!){{updateExpense(id:$id,expense:$expense){fields}}}"
    );
    let variables = json!({ "id": created[0]["id"], "expense": short });
    let answer = household.query_with(&update, &variables).await.json();
    let updated = &answer["data"]["updateExpense"];
    assert_eq!(updated["date"], created[0]["date"], "{answer}");
    assert_eq!(one(&household, &created[0]["id"]).await, *updated);

    let id = created[0]["id"].as_str().unwrap();
    let delete = format!("mutation{{deleteExpense(id:\"{id}\")}}");
    let answer = household.query(&delete).await.json();
    assert_eq!(answer, json!({ "data": { "deleteExpense": id } }));
    let again = household.query(&delete).await.json();
    assert_eq!(again["errors"][0]["extensions"]["code"], "UNKNOWN_EXPENSE");
    assert_eq!(count(&household).await, 5_001);
}

#[tokio::test]
async fn of_several_expenses_all_are_written_or_none() {
    let household = Household::open_to_all().await;
    let create = "mutation($new:[ExpenseInput!]!){createExpenses(expenses:$new){id}}";
    let good = json!({ "title": "Brush", "price": 7, "tags": ["new"] });
    for (bad, code) in [
        (json!({ "title": "", "price": 7 }), "BAD_TEXT"),
        (
            json!({ "title": "x", "price": 7, "payeeId": "nobody" }),
            "UNKNOWN_PAYEE",
        ),
    ] {
        let answer = household
            .query_with(create, &json!({ "new": [good, bad] }))
            .await;
        assert_eq!(answer.json()["errors"][0]["extensions"]["code"], code);
    }
    for many in [vec![], vec![&good; 101]] {
        let answer = household
            .query_with(create, &json!({ "new": many }))
            .await
            .json();
        assert_eq!(
            answer["errors"][0]["extensions"]["code"], "BAD_COUNT",
            "{answer}"
        );
    }
    assert_eq!(count(&household).await, 5_000);
}

#[tokio::test]
async fn a_refused_expense_is_answered_with_what_is_wrong() {
    let household = Household::open_to_all().await;
    for (sent, status, code, named) in [
        (json!({ "price": 1 }), 422, "UNEXPECTED_JSON", "title"),
        (json!({ "title": "x" }), 422, "UNEXPECTED_JSON", "price"),
        (
            json!({ "title": "x", "price": 1.5 }),
            422,
            "UNEXPECTED_JSON",
            "1.5",
        ),
        (
            json!({ "title": "x", "price": 1, "payer": 2 }),
            422,
            "UNEXPECTED_JSON",
            "payer",
        ),
        (
            json!({ "title": "", "price": 1 }),
            422,
            "BAD_TEXT",
            "send 1 to 255",
        ),
        (
            json!({ "title": "a\u{0}b", "price": 1 }),
            422,
            "BAD_TEXT",
            "control",
        ),
        (json!({ "title": "x", "price": -1 }), 422, "BAD_PRICE", "-1"),
        (
            json!({ "title": "x", "price": 1, "date": "today" }),
            422,
            "BAD_DATE",
            "today",
        ),
        (
            json!({ "title": "x", "price": 1, "tags": [""] }),
            422,
            "BAD_TEXT",
            "tag",
        ),
        (
            json!({ "title": "x", "price": 1, "payeeId": "a\u{0}b" }),
            422,
            "UNKNOWN_PAYEE",
            "payeeId",
        ),
    ] {
        let listed = household.get("/api/v1/expenses?limit=1").await.data();
        let existing = format!("{EXPENSES}/{}", listed[0]["id"].as_str().unwrap());
        for (method, path) in [(Method::POST, EXPENSES), (Method::PUT, &existing)] {
            let answer = household.send(method, path, &sent).await;
            assert_eq!(answer.status, status, "{sent}");
            assert_eq!(answer.json()["code"], code, "{sent}");
            let detail = answer.json()["detail"].take();
            assert!(detail.as_str().unwrap().contains(named), "{detail}");
        }
        let after = household.get("/api/v1/expenses?limit=1").await.data();
        assert_eq!(after, listed);
    }
    let sent = json!({ "title": "x", "price": 1 });
    for id in ["unknown", "%00"] {
        let path = format!("{EXPENSES}/{id}");
        let answer = household.send(Method::PUT, &path, &sent).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(household.get(&path).await.status, StatusCode::NOT_FOUND);
        assert_eq!(household.delete(&path).await.status, StatusCode::NOT_FOUND);
    }
    let answer = household
        .call(Request::patch("/api/v1/expenses/x"), Body::empty())
        .await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED);
    let allowed = answer.headers["allow"].to_str().unwrap();
    for method in ["GET", "PUT", "DELETE"] {
        assert!(allowed.contains(method), "{allowed}");
    }
    assert_eq!(count(&household).await, 5_000);
}

/// Writers wait for each other instead of failing.
#[tokio::test]
async fn many_at_once_are_all_written() {
    let household = Household::open_to_all().await;
    let writes = (0..40).map(|number| {
        let sent = json!({
            "title": format!("number {number}"), "price": number, "tags": ["b", "a", "c"],
        });
        let household = &household;
        async move { household.send(Method::POST, EXPENSES, &sent).await.status }
    });
    let statuses = futures_util::future::join_all(writes).await;
    assert!(statuses.iter().all(|status| *status == StatusCode::CREATED));
    assert_eq!(count(&household).await, 5_040);
}
