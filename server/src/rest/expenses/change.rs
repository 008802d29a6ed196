//! Expenses that are written, changed and removed.

use axum::{
    extract::{Path, Request, State},
    response::Response,
};
use http::StatusCode;
use serde::Deserialize;

use super::{super::RestError, body, reply, reply::Shape, routes::ExpensesState};
use crate::expenses::ExpenseDraft;

/// An expense as it is sent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct ExpenseBody {
    title: String,
    #[serde(default)]
    description: String,
    price: i64,
    date: Option<String>,
    #[serde(default)]
    resolved: bool,
    payee_id: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

impl From<ExpenseBody> for ExpenseDraft {
    fn from(sent: ExpenseBody) -> Self {
        Self {
            title: sent.title,
            description: sent.description,
            price_cents: sent.price,
            date: sent.date,
            resolved: sent.resolved,
            payee_id: sent.payee_id,
            tags: sent.tags,
        }
    }
}

/// A new expense: 201, with its place.
pub(super) async fn create(
    State(state): State<ExpensesState>,
    request: Request,
) -> Result<Response, RestError> {
    let sent: ExpenseBody = body::read(&state, request).await?;
    let expense = state.expenses.store.create_expense(sent.into()).await?;
    let answer = reply::expense(&expense, &Shape::whole())?;
    let path = format!("/api/v1/expenses/{}", expense.id);
    Ok(reply::created(answer, &path))
}

/// The whole expense anew.
pub(super) async fn replace(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, RestError> {
    let sent: ExpenseBody = body::read(&state, request).await?;
    let store = &state.expenses.store;
    let expense = store.replace_expense(&id, sent.into()).await?;
    reply::expense(&expense, &Shape::whole())
}

/// Gone: 204.
pub(super) async fn delete(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
) -> Result<StatusCode, RestError> {
    state.expenses.store.delete_expense(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
