//! Expenses and users that are written, changed and removed, in both styles.

use axum::body::Body;
use http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use super::household::Household;

const EXPENSES: &str = "/api/v1/expenses";
const USERS: &str = "/api/v1/users";

async fn one(household: &Household, id: &Value) -> Value {
    let path = format!("{EXPENSES}/{}", id.as_str().unwrap());
    household.get(&path).await.data()
}

/// How many expenses there are.
async fn count(household: &Household) -> usize {
    let list = household.get("/api/v1/expenses?limit=100000").await.data();
    list.as_array().unwrap().len()
}

fn soap(user: &Value) -> Value {
    json!({
        "title": "Soap \u{1f9fc}", "description": "two\nlines", "price": 250, "resolved": true,
        "date": "2030-05-01T12:00:00+02:00", "payeeId": user["id"], "tags": ["home", "bath", "home"],
    })
}

async fn some_user(household: &Household) -> Value {
    household.get(USERS).await.data()[3].take()
}

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

#[tokio::test]
async fn a_new_user_logs_in_by_the_password_and_may_change_both() {
    let household = Household::open_to_all().await;
    let sent = json!({ "username": "Anna Ä", "password": "first" });
    let answer = household.send(Method::POST, USERS, &sent).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let place = answer.headers["location"].to_str().unwrap().to_owned();
    let user = answer.data();
    assert_eq!(household.get(&place).await.data(), user);
    assert_eq!(user.as_object().unwrap().len(), 4, "{user}");
    assert_eq!(
        household.log_in("Anna Ä", "first").await.status,
        StatusCode::OK
    );

    let renamed = json!({ "username": "Berta" });
    let changed = household.send(Method::PUT, &place, &renamed).await.data();
    assert_eq!(household.get(&place).await.data(), changed);
    assert_eq!(changed["createdAt"], user["createdAt"]);
    assert_eq!(
        household.log_in("Berta", "first").await.status,
        StatusCode::OK
    );

    let sent = json!({ "username": "Berta", "password": "second" });
    assert_eq!(
        household.send(Method::PUT, &place, &sent).await.status,
        StatusCode::OK
    );
    assert_eq!(
        household.log_in("Berta", "second").await.status,
        StatusCode::OK
    );
    for (name, password) in [("Berta", "first"), ("Anna Ä", "first"), ("a\0", "first")] {
        let refused = household.log_in(name, password).await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_name_belongs_to_one_user() {
    let household = Household::open_to_all().await;
    let sent = json!({ "username": "test7", "password": "x" });
    let user = some_user(&household).await;
    let place = format!("{USERS}/{}", user["id"].as_str().unwrap());
    for (method, path) in [(Method::POST, USERS), (Method::PUT, &place)] {
        let answer = household.send(method, path, &sent).await;
        assert_eq!(answer.status, StatusCode::CONFLICT);
        assert_eq!(answer.json()["code"], "NAME_TAKEN");
    }
    let own = json!({ "username": user["username"] });
    assert_eq!(
        household.send(Method::PUT, &place, &own).await.status,
        StatusCode::OK
    );
    assert_eq!(
        household.get(USERS).await.data().as_array().map(Vec::len),
        Some(500)
    );
}

#[tokio::test]
async fn a_removed_user_leaves_the_expenses_without_a_payee() {
    let household = Household::open_to_all().await;
    let user = some_user(&household).await;
    let written = household
        .send(Method::POST, EXPENSES, &soap(&user))
        .await
        .data();
    let place = format!("{USERS}/{}", user["id"].as_str().unwrap());
    assert_eq!(
        household.delete(&place).await.status,
        StatusCode::NO_CONTENT
    );
    assert_eq!(one(&household, &written["id"]).await["payee"], Value::Null);
    assert_eq!(count(&household).await, 5_001);
    for id in [&place, "/api/v1/users/%00"] {
        assert_eq!(household.delete(id).await.status, StatusCode::NOT_FOUND);
        let sent = json!({ "username": "x" });
        let answer = household.send(Method::PUT, id, &sent).await;
        assert_eq!(answer.json()["code"], "UNKNOWN_USER");
    }
}

#[tokio::test]
async fn a_refused_user_is_answered_with_what_is_wrong() {
    let household = Household::open_to_all().await;
    for (sent, code, named) in [
        (json!({ "username": "x" }), "UNEXPECTED_JSON", "password"),
        (
            json!({ "username": "", "password": "x" }),
            "BAD_TEXT",
            "username",
        ),
        (
            json!({ "username": "a\tb", "password": "x" }),
            "BAD_TEXT",
            "control",
        ),
        (
            json!({ "username": "x", "password": "" }),
            "BAD_TEXT",
            "password",
        ),
    ] {
        let answer = household.send(Method::POST, USERS, &sent).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{sent}");
        assert_eq!(answer.json()["code"], code);
        let detail = answer.json()["detail"].take();
        assert!(detail.as_str().unwrap().contains(named), "{detail}");
    }
}

#[tokio::test]
async fn by_default_changes_over_rest_need_a_token_but_for_a_new_user() {
    let household = Household::with(&[]).await;
    let sent = json!({ "username": "Anna", "password": "secret" });
    for (method, path) in [
        (Method::POST, EXPENSES),
        (Method::PUT, "/api/v1/expenses/1"),
        (Method::DELETE, "/api/v1/expenses/1"),
        (Method::PUT, "/api/v1/users/1"),
        (Method::DELETE, "/api/v1/users/1"),
    ] {
        let answer = household.send(method, path, &sent).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let answer = household.send(Method::POST, USERS, &sent).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    assert_eq!(
        household.log_in("Anna", "secret").await.status,
        StatusCode::OK
    );
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
