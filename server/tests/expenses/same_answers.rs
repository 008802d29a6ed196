//! The same expenses and users in REST and GraphQL.

use serde_json::{Value, json};

use super::household::{Household, TASK_A, TASK_B};

/// An expense as REST writes it, from one as GraphQL does.
fn as_rest(mut expense: Value) -> Value {
    let tags = expense["tags"].take();
    let names = tags
        .as_array()
        .unwrap()
        .iter()
        .map(|tag| tag["name"].clone());
    expense["tags"] = names.collect();
    expense
}

#[tokio::test]
async fn expenses_are_the_same() {
    let household = Household::open_to_all().await;
    for (query, arguments) in [
        ("limit=500", "limit:500"),
        ("limit=20&skip=30", "limit:20,skip:30"),
        (
            "month=2&year=2020&resolved=true",
            "month:2,year:2020,resolved:true",
        ),
        ("year=2020&skip=4000&limit=3", "year:2020,skip:4000,limit:3"),
    ] {
        let path = format!("/api/v1/expenses?expand=payee&{query}");
        let rest = household.get(&path).await.data();
        let graphql = household
            .query(&TASK_A.replace("limit:500", arguments))
            .await;
        let mut graphql = graphql.json();
        let graphql = graphql["data"]["getExpenses"].as_array_mut().unwrap();
        let graphql: Value = graphql.drain(..).map(as_rest).collect();
        assert!(!rest.as_array().unwrap().is_empty());
        assert_eq!(rest, graphql, "{query}");
    }
}

#[tokio::test]
async fn one_field_is_the_same_as_by_a_sparse_fieldset() {
    let household = Household::open_to_all().await;
    let rest = household.get("/api/v1/expenses?resolved=false&limit=500&fields=price");
    let graphql = household.query(TASK_B).await.json();
    assert_eq!(rest.await.data(), graphql["data"]["getExpenses"]);
}

#[tokio::test]
async fn users_are_the_same_together_and_alone() {
    let household = Household::open_to_all().await;
    let query = "{getUsers{id username createdAt updatedAt}}";
    let rest = household.get("/api/v1/users").await.data();
    assert_eq!(
        rest,
        household.query(query).await.json()["data"]["getUsers"]
    );

    let id = rest[7]["id"].as_str().unwrap();
    assert_eq!(
        household.get(&format!("/api/v1/users/{id}")).await.data(),
        rest[7]
    );
    let one = query.replace("getUsers", &format!("getUsers(id:\"{id}\")"));
    assert_eq!(
        household.query(&one).await.json()["data"]["getUsers"],
        json!([rest[7]])
    );
}

#[tokio::test]
async fn one_expense_is_the_same() {
    let household = Household::open_to_all().await;
    let listed = household.get("/api/v1/expenses?limit=1").await.data();
    let id = listed[0]["id"].as_str().unwrap();
    let alone = household
        .get(&format!("/api/v1/expenses/{id}"))
        .await
        .data();
    assert_eq!(alone, listed[0]);
    let query = format!("{{getExpenses(id:\"{id}\"){{title}}}}");
    let graphql = household.query(&query).await.json();
    assert_eq!(
        graphql["data"]["getExpenses"],
        json!([{ "title": alone["title"] }])
    );
}

#[tokio::test]
async fn books_are_answered_as_without_expenses() {
    let household = Household::open_to_all().await;
    let book = household.query("{book(id:\"1\"){title}}").await.json();
    assert_eq!(book["data"]["book"]["title"], "Practical API Measurement");
}
