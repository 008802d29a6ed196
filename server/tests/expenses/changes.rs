//! Expenses and users that are written, changed and removed.

mod expenses;
mod users;

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
