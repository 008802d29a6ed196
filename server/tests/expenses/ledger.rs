//! Expenses that a database is given until it fails, and what of them is there afterwards.

use http::{Method, StatusCode};
use serde_json::json;

use super::household::{Answer, Household};

/// No generated expense is of this year.
const YEAR: u32 = 2040;

/// A household in the database that this address names; nobody is asked for a token.
pub async fn household(address: &str) -> Household {
    let place = format!("--expenses={address}");
    Household::at(&place, &["--expenses-tokens=off"]).await
}

/// Writes an expense with this price.
pub async fn write(household: &Household, price: u64) -> Answer {
    let sent = json!({
        "title": "x",
        "description": "d".repeat(1_500),
        "price": price,
        "date": format!("{YEAR}-05-01T00:00:00Z"),
    });
    household
        .send(Method::POST, "/api/v1/expenses", &sent)
        .await
}

/// Writes expenses until one is refused: the prices of those before it, and the refusal.
pub async fn write_until_refused(household: &Household) -> (Vec<u64>, Answer) {
    let mut acknowledged = Vec::new();
    for price in 0.. {
        let answer = write(household, price).await;
        if answer.status != StatusCode::CREATED {
            return (acknowledged, answer);
        }
        acknowledged.push(price);
    }
    unreachable!("no disk is endless")
}

/// The prices of what was written, in order.
pub async fn written(household: &Household) -> Vec<u64> {
    let path = format!("/api/v1/expenses?year={YEAR}&limit=100000");
    let answer = household.get(&path).await;
    if answer.status == StatusCode::NOT_FOUND {
        return Vec::new();
    }
    let list = answer.data();
    let prices = list.as_array().unwrap().iter();
    let mut prices: Vec<u64> = prices.map(|one| one["price"].as_u64().unwrap()).collect();
    prices.sort_unstable();
    prices
}

/// How many expenses there are at all.
pub async fn count(household: &Household) -> usize {
    let list = household.get("/api/v1/expenses?limit=100000").await.data();
    list.as_array().unwrap().len()
}
