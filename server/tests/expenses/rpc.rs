//! The gRPC service beside the other styles.

use bookstore_proto::v1::{Expense, ListExpensesRequest, User};
use serde_json::{Value, json};
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus,
};

use super::{
    calls::{Protocol, as_rest, mask},
    household::{Household, TASK_B},
};

#[tokio::test]
async fn calls_answer_what_rest_answers() {
    let household = Household::filled(&["--expenses-tags=2"]).await;
    for (query, request) in [
        ("", ListExpensesRequest::default()),
        (
            "&limit=500&skip=30",
            ListExpensesRequest {
                limit: 500,
                skip: 30,
                ..ListExpensesRequest::default()
            },
        ),
        (
            "&month=2&year=2020&resolved=false",
            ListExpensesRequest {
                month: 2,
                year: 2020,
                resolved: Some(false),
                ..ListExpensesRequest::default()
            },
        ),
        (
            "&year=2020&resolved=true",
            ListExpensesRequest {
                year: 2020,
                resolved: Some(true),
                ..ListExpensesRequest::default()
            },
        ),
    ] {
        let path = format!("/api/v1/expenses?expand=payee{query}");
        let rest = household.get(&path).await.data();
        for protocol in Protocol::BOTH {
            let answer = household.list_expenses(protocol, &request).await.unwrap();
            let listed: Value = answer.expenses.iter().map(as_rest).collect();
            assert_eq!(listed, rest, "{protocol:?} {query}");
        }
    }
}

#[tokio::test]
async fn users_are_the_same() {
    let household = Household::open_to_all().await;
    let rest = household.get("/api/v1/users").await.data();
    for protocol in Protocol::BOTH {
        let users = household.list_users(protocol, None).await.unwrap().users;
        let users: Value = users
            .iter()
            .map(|user| {
                json!({
                    "id": user.id,
                    "username": user.username,
                    "createdAt": user.created_at,
                    "updatedAt": user.updated_at,
                })
            })
            .collect();
        assert_eq!(users, rest, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_mask_leaves_nothing_but_its_fields() {
    let household = Household::filled(&["--expenses-tags=1"]).await;
    let list = async |paths: &[&str]| {
        let request = ListExpensesRequest {
            limit: 500,
            resolved: Some(false),
            field_mask: Some(mask(paths)),
            ..ListExpensesRequest::default()
        };
        let answer = household.list_expenses(Protocol::Grpc, &request).await;
        answer.unwrap().expenses
    };
    let whole = list(&[]).await;

    let prices = list(&["price_cents"]).await;
    let graphql = household.query(TASK_B).await.json();
    let as_graphql = prices.iter().map(|one| json!({ "price": one.price_cents }));
    assert_eq!(
        graphql["data"]["getExpenses"],
        as_graphql.collect::<Value>()
    );
    for one in &prices {
        let price_alone = Expense {
            price_cents: one.price_cents,
            ..Expense::default()
        };
        assert_eq!(*one, price_alone);
    }

    let masked = list(&["payee.username", "tags"]).await;
    for (masked, whole) in masked.iter().zip(&whole) {
        let payee = whole.payee.as_ref().map(|payee| User {
            username: payee.username.clone(),
            ..User::default()
        });
        let expected = Expense {
            payee,
            tags: whole.tags.clone(),
            ..Expense::default()
        };
        assert_eq!(*masked, expected);
    }
    assert_eq!((prices.len(), masked.len()), (500, 500));
}

#[tokio::test]
async fn an_empty_list_is_an_answer() {
    let household = Household::open_to_all().await;
    let request = ListExpensesRequest {
        year: 1999,
        ..ListExpensesRequest::default()
    };
    let answer = household.list_expenses(Protocol::Web, &request).await;
    assert_eq!(answer.unwrap().expenses, []);
}

#[tokio::test]
async fn what_is_not_understood_is_named_with_its_remedy() {
    let household = Household::open_to_all().await;
    let usual = ListExpensesRequest::default;
    for (request, named) in [
        (
            ListExpensesRequest {
                month: 13,
                year: 2020,
                ..usual()
            },
            "the month 13",
        ),
        (
            ListExpensesRequest {
                month: 3,
                ..usual()
            },
            "needs a year",
        ),
        (
            ListExpensesRequest {
                field_mask: Some(mask(&["id", "price"])),
                ..usual()
            },
            "\"price\" here; the field mask takes id, title",
        ),
        (
            ListExpensesRequest {
                parts: 51,
                ..usual()
            },
            "ask for 0 to 50",
        ),
    ] {
        for protocol in Protocol::BOTH {
            let status = household.list_expenses(protocol, &request).await;
            let status = status.unwrap_err();
            assert_eq!(status.code(), Code::InvalidArgument);
            assert!(status.message().contains(named), "{status:?}");
        }
    }
}

#[tokio::test]
async fn a_token_is_asked_for_where_all_styles_are_to_ask() {
    for (styles, asks) in [("off", false), ("rest", false), ("all", true)] {
        let household = Household::with(&[&format!("--expenses-tokens={styles}")]).await;
        let token = household.log_in("test0", "test").await.data()["token"].take();
        for protocol in Protocol::BOTH {
            let without = household.list_users(protocol, None).await;
            let code = without.map_or_else(|status| status.code(), |_| Code::Ok);
            let expected = if asks {
                Code::Unauthenticated
            } else {
                Code::Ok
            };
            assert_eq!(code, expected, "{styles} {protocol:?}");
            let with = household.list_users(protocol, token.as_str()).await;
            assert_eq!(with.unwrap().users.len(), 500);
        }
    }
}

#[tokio::test]
async fn the_service_is_serving() {
    let household = Household::open_to_all().await;
    let request = HealthCheckRequest {
        service: "bookstore.bench.v1.ExpensesService".to_owned(),
    };
    let path = "/grpc.health.v1.Health/Check";
    let answer = household.call_rpc(Protocol::Grpc, path, &request, None);
    let message: HealthCheckResponse = answer.await.message().unwrap();
    assert_eq!(message.status(), ServingStatus::Serving);
}
