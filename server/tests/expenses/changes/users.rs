//! Users that are written, changed and removed.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{EXPENSES, USERS, count, one, soap, some_user};
use crate::household::Household;

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
