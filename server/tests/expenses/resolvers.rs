//! How many statements each style of resolvers sends, and that all answer the same.

use super::household::{Household, TASK_A, TASK_B};

const STATEMENTS: &str = "expenses_sql_statements_total";

/// Statements of one query.
async fn statements(household: &Household, query: &str) -> f64 {
    let before = household.metric(STATEMENTS).await;
    let answer = household.query(query).await.json();
    assert!(answer["errors"].is_null(), "{answer}");
    household.metric(STATEMENTS).await - before
}

async fn with_resolvers(style: &str) -> Household {
    let flag = format!("--expenses-resolvers={style}");
    Household::filled(&["--expenses-tags=2", "--expenses-count=600", &flag]).await
}

/// The payers alone are the known case of 1 + n; tags are one more list for each expense.
#[tokio::test]
async fn statements_are_exactly_as_many_as_the_style_says() {
    const PAYEES: &str = "{getExpenses(limit:500){id,payee{username}}}";
    const TAGS: &str = "{getExpenses(limit:500){tags{name}}}";
    for (style, task_a, task_b, payees, tags) in [
        ("join", 1., 1., 1., 1.),
        ("batch", 3., 1., 2., 2.),
        ("naive", 1_001., 1., 501., 501.),
    ] {
        let household = with_resolvers(style).await;
        for (query, expected) in [
            (TASK_A, task_a),
            (TASK_B, task_b),
            (PAYEES, payees),
            (TAGS, tags),
        ] {
            let sent = statements(&household, query).await;
            assert!((sent - expected).abs() < 0.5, "{style} {query}: {sent}");
        }
    }
}

#[tokio::test]
async fn only_naive_resolvers_send_more_for_longer_lists() {
    for (style, per_expense) in [("join", 0.), ("batch", 0.), ("naive", 2.)] {
        let household = with_resolvers(style).await;
        let of_limit = async |limit: &str| {
            let query = TASK_A.replace("limit:500", limit);
            statements(&household, &query).await
        };
        let growth = of_limit("limit:40").await - of_limit("limit:10").await;
        assert!(
            (growth - 30. * per_expense).abs() < 0.5,
            "{style}: {growth}"
        );
    }
}

#[tokio::test]
async fn all_styles_answer_the_same() {
    let joined = with_resolvers("join").await.query(TASK_A).await.json();
    let list = &joined["data"]["getExpenses"];
    assert_eq!(list.as_array().map(Vec::len), Some(500));
    assert_eq!(list[7]["tags"].as_array().map(Vec::len), Some(2));
    for style in ["batch", "naive"] {
        let other = with_resolvers(style).await.query(TASK_A).await.json();
        assert!(other == joined, "{style} answers other expenses");
    }
}

#[tokio::test]
async fn a_payee_who_is_gone_is_null() {
    for style in ["join", "batch", "naive"] {
        let household = with_resolvers(style).await;
        let query = "{getExpenses(limit:1){payee{id}}}";
        let payee = |answer: &serde_json::Value| answer["data"]["getExpenses"][0]["payee"].clone();
        let before = payee(&household.query(query).await.json());
        let path = format!("/api/v1/users/{}", before["id"].as_str().unwrap());
        assert!(household.delete(&path).await.status.is_success());
        let after = household.query(query).await.json();
        assert!(
            after["errors"].is_null() && payee(&after).is_null(),
            "{after}"
        );
    }
}

#[tokio::test]
async fn every_style_of_the_list_is_one_statement_and_takes_time() {
    let household = Household::open_to_all().await;
    let seconds = household.metric("expenses_sql_seconds_total").await;
    let before = household.metric(STATEMENTS).await;
    household.get("/api/v1/expenses?limit=500").await.data();
    household.get("/api/v1/users").await.data();
    let after = household.metric(STATEMENTS).await;
    assert!((after - before - 2.).abs() < 0.5, "{}", after - before);
    assert!(household.metric("expenses_sql_seconds_total").await > seconds);
}
