//! What a list holds, and what is refused.

use http::StatusCode;

use super::household::Household;

#[tokio::test]
async fn a_list_has_50_expenses_with_the_newest_first() {
    let household = Household::open_to_all().await;
    let list = household.get("/api/v1/expenses").await.data();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), 50);
    let dates: Vec<&str> = list
        .iter()
        .map(|one| one["date"].as_str().unwrap())
        .collect();
    assert!(dates.is_sorted_by(|newer, older| newer > older));
    let next = household
        .get("/api/v1/expenses?skip=49&limit=1")
        .await
        .data();
    assert_eq!(next[0], list[49]);
}

#[tokio::test]
async fn a_month_and_a_year_hold_only_their_own() {
    let household = Household::open_to_all().await;
    for (query, start) in [
        ("month=2&year=2020", "2020-02-"),
        ("month=12&year=2020", "2020-12-"),
        ("year=2021", "2021-"),
    ] {
        let path = format!("/api/v1/expenses?limit=5000&{query}");
        let list = household.get(&path).await.data();
        let dates = list.as_array().unwrap().iter().map(|one| &one["date"]);
        assert!(dates.clone().count() > 300, "{query}");
        for date in dates {
            assert!(date.as_str().unwrap().starts_with(start), "{query}: {date}");
        }
    }
}

#[tokio::test]
async fn resolved_chooses() {
    let household = Household::open_to_all().await;
    for resolved in [true, false] {
        let path = format!("/api/v1/expenses?resolved={resolved}&limit=100");
        let list = household.get(&path).await.data();
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), 100);
        assert!(list.iter().all(|one| one["resolved"] == resolved));
    }
}

#[tokio::test]
async fn an_empty_list_is_404_in_rest_and_empty_in_graphql() {
    let household = Household::open_to_all().await;
    for query in ["skip=5000", "limit=0", "year=1999"] {
        let answer = household.get(&format!("/api/v1/expenses?{query}")).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert_eq!(answer.json()["code"], "NO_EXPENSES");
    }
    let answer = household.query("{getExpenses(year:1999){id}}").await.json();
    assert_eq!(
        answer["data"]["getExpenses"].as_array().map(Vec::len),
        Some(0)
    );
}

#[tokio::test]
async fn what_is_not_understood_is_named_with_its_remedy() {
    let household = Household::open_to_all().await;
    for (path, status, named) in [
        ("expenses?limit=-1", 400, "limit=-1"),
        ("expenses?resolved=paid", 400, "resolved=true or false"),
        ("expenses?page=2", 400, "skip, limit"),
        ("expenses?expand=tags", 400, "expand=payee"),
        ("expenses?fields=cost", 400, "\"cost\""),
        ("expenses?month=13&year=2020", 422, "the month 13"),
        ("expenses?month=3", 422, "needs a year"),
        ("expenses/unknown", 404, "\"unknown\""),
        ("users/unknown", 404, "\"unknown\""),
    ] {
        let answer = household.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.headers["content-type"], "application/problem+json");
        let detail = answer.json()["detail"].take();
        assert!(detail.as_str().unwrap().contains(named), "{path}: {detail}");
    }
    for (arguments, code) in [
        ("month:13,year:2020", "BAD_PERIOD"),
        ("month:3", "BAD_PERIOD"),
    ] {
        let query = format!("{{getExpenses({arguments}){{id}}}}");
        let answer = household.query(&query).await.json();
        assert_eq!(answer["errors"][0]["extensions"]["code"], code, "{answer}");
    }
    let answer = household
        .query("{getUsers(id:\"unknown\"){id}}")
        .await
        .json();
    assert_eq!(answer["errors"][0]["extensions"]["code"], "UNKNOWN_USER");
}
