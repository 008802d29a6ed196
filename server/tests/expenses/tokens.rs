//! Who has to prove who they are.

use axum::body::Body;
use http::{Request, StatusCode};

use super::household::{Household, TASK_B};

#[tokio::test]
async fn by_default_rest_asks_for_a_token_and_graphql_does_not() {
    let household = Household::with(&[]).await;
    for path in ["expenses", "expenses/1", "users", "users/1"] {
        let answer = household.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
        assert_eq!(answer.json()["code"], "UNAUTHENTICATED");
    }
    assert_eq!(household.query(TASK_B).await.status, StatusCode::OK);
    assert_eq!(household.get("/api/books/1").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_token_opens_both_styles() {
    let household = Household::with(&["--expenses-tokens=all"]).await;
    let refused = household.query(TASK_B).await;
    assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
    assert_eq!(refused.headers["www-authenticate"], "Bearer");
    let code = &refused.json()["errors"][0]["extensions"]["code"];
    assert_eq!(code, "UNAUTHENTICATED");

    let token = household.log_in("test0", "test").await.data()["token"].take();
    let bearer = format!("Bearer {}", token.as_str().unwrap());
    let rest = Request::get("/api/v1/users").header("authorization", &bearer);
    let answer = household.call(rest, Body::empty()).await;
    assert_eq!(answer.data().as_array().map(Vec::len), Some(500));
    let graphql = Request::post("/graphql")
        .header("authorization", &bearer)
        .header("content-type", "application/json");
    let body = format!(r#"{{"query":"{TASK_B}"}}"#);
    assert_eq!(household.call(graphql, body).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_wrong_password_or_body_gets_no_token() {
    let household = Household::with(&[]).await;
    let answer = household.log_in("test0", "wrong").await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
    assert_eq!(answer.json()["code"], "WRONG_CREDENTIALS");
    for (body, status) in [("{", 400), ("{}", 422), (r#"{"username":"test0"}"#, 422)] {
        let request =
            Request::post("/api/v1/users/login").header("content-type", "application/json");
        assert_eq!(household.call(request, body).await.status, status, "{body}");
    }
}
