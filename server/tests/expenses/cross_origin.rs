//! CORS headers on answers about expenses.

use axum::body::Body;
use http::{Request, StatusCode};

use bookstore_proto::v1::ListUsersRequest;

use super::{
    calls::Protocol,
    household::{Household, TASK_B},
};

const LIST_USERS: &str = "/bookstore.bench.v1.ExpensesService/ListUsers";

const ALLOWED: &str = "access-control-allow-origin";

#[tokio::test]
async fn cors_headers_are_added_where_they_were_asked_for() {
    for (styles, in_rest, in_others) in [
        ("off", false, false),
        ("rest", true, false),
        ("all", true, true),
    ] {
        let flag = format!("--expenses-cors={styles}");
        let household = Household::with(&["--expenses-tokens=off", &flag]).await;
        let rest = household.get("/api/v1/expenses?limit=1").await;
        let refused = household.get("/api/v1/expenses?limit=no").await;
        let graphql = household.query(TASK_B).await;
        let request = ListUsersRequest {};
        let grpc = household.call_rpc(Protocol::Grpc, LIST_USERS, &request, None);
        let web = household.call_rpc(Protocol::Web, LIST_USERS, &request, None);
        for (answer, has) in [
            (rest, in_rest),
            (refused, in_rest),
            (graphql, in_others),
            (grpc.await, in_others),
            (web.await, in_others),
        ] {
            let allowed = answer.headers.get(ALLOWED);
            assert_eq!(allowed.is_some_and(|origin| origin == "*"), has, "{styles}");
            assert!(!answer.headers.contains_key("vary"), "{styles}");
        }
        let books = household.get("/api/books/1").await;
        assert!(!books.headers.contains_key(ALLOWED));
    }
}

#[tokio::test]
async fn a_preflight_needs_no_token() {
    let household = Household::with(&["--expenses-cors=rest"]).await;
    let preflight = Request::options("/api/v1/expenses")
        .header("origin", "https://example.org")
        .header("access-control-request-method", "GET")
        .header("access-control-request-headers", "authorization");
    let answer = household.call(preflight, Body::empty()).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.headers["access-control-allow-headers"],
        "authorization"
    );
    assert_eq!(
        answer.headers["access-control-allow-methods"],
        "GET,HEAD,PUT,PATCH,POST,DELETE"
    );
}
