//! Parts of expenses: the same in every style, and made from nothing but the id.

use bookstore_proto::v1::ListExpensesRequest;
use serde_json::{Value, json};

use super::{
    calls::{Protocol, mask},
    household::Household,
};

#[tokio::test]
async fn parts_are_the_same_in_every_style() {
    let household = Household::open_to_all().await;
    for count in [0, 10, 50] {
        let path = format!("/api/v1/expenses?limit=20&fields=title&parts={count}");
        let rest = household.get(&path).await.data();
        let first = &rest[0]["parts"];
        assert_eq!(first.as_array().map(Vec::len), Some(count));

        let query = format!(
            "{{getExpenses(limit:20){{title parts(first:{count}){{number name quantity price}}}}}}"
        );
        let graphql = household.query(&query).await.json();
        assert_eq!(rest, graphql["data"]["getExpenses"], "{count}");

        let request = ListExpensesRequest {
            limit: 20,
            parts: u32::try_from(count).unwrap(),
            field_mask: Some(mask(&["title"])),
            ..ListExpensesRequest::default()
        };
        let answer = household.list_expenses(Protocol::Grpc, &request).await;
        let expenses = answer.unwrap().expenses;
        assert!(expenses.iter().all(|expense| expense.id.is_empty()));
        let grpc: Value = expenses
            .iter()
            .map(|expense| {
                let parts: Value = expense
                    .parts
                    .iter()
                    .map(|part| {
                        json!({
                            "number": part.number,
                            "name": part.name,
                            "quantity": part.quantity,
                            "price": part.price_cents,
                        })
                    })
                    .collect();
                json!({ "title": expense.title, "parts": parts })
            })
            .collect();
        assert_eq!(rest, grpc, "{count}");
    }
}

#[tokio::test]
async fn no_statement_is_sent_for_them() {
    let household = Household::open_to_all().await;
    let statements = "expenses_sql_statements_total";
    let before = household.metric(statements).await;
    household
        .query("{getExpenses{parts(first:50){name}}}")
        .await;
    let sent = household.metric(statements).await - before;
    assert!((sent - 1.).abs() < 0.5, "{sent}");
}

#[tokio::test]
async fn an_expense_alone_has_its_parts_too() {
    let household = Household::open_to_all().await;
    let list = household.get("/api/v1/expenses?limit=1&parts=3").await;
    let listed = list.data()[0].take();
    let path = format!(
        "/api/v1/expenses/{}?parts=3",
        listed["id"].as_str().unwrap()
    );
    assert_eq!(household.get(&path).await.data(), listed);
    let plain = household.get("/api/v1/expenses?limit=1").await.data();
    assert!(plain[0].get("parts").is_none());
}

#[tokio::test]
async fn more_than_50_are_refused() {
    let household = Household::open_to_all().await;
    let rest = household.get("/api/v1/expenses?parts=51").await;
    assert_eq!(rest.status, 422);
    assert_eq!(rest.json()["code"], "TOO_MANY_PARTS");
    let graphql = household
        .query("{getExpenses{parts(first:51){name}}}")
        .await
        .json();
    assert_eq!(graphql["errors"][0]["extensions"]["code"], "TOO_MANY_PARTS");
    assert!(graphql["data"]["getExpenses"].is_null(), "{graphql}");
    let unreadable = household.get("/api/v1/expenses?parts=-1").await;
    assert_eq!(unreadable.status, 400);
}
