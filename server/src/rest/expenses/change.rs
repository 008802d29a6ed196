//! Expenses that are written, changed and removed.

use axum::{
    extract::{Request, State},
    response::Response,
};
use http::StatusCode;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::{
    super::{
        RestError,
        object::ObjectOnly,
        refusals::{ChangeRefusals, HouseholdRefusals},
        segment::Segment,
    },
    body, reply,
    reply::Shape,
    routes::ExpensesState,
    shape::OneExpense,
};
use crate::expenses::ExpenseDraft;

/// An expense as it is sent.
#[derive(Deserialize, ToSchema)]
#[serde(
    deny_unknown_fields,
    rename_all = "camelCase",
    remote = "Self",
    expecting = "an expense, an object with `title` and `price`"
)]
#[schema(example = json!({ "title": "Soap", "price": 249 }))]
pub(super) struct ExpenseBody {
    /// A line of text.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$"
    )]
    title: String,
    /// Empty when it is left out.
    #[serde(default)]
    #[schema(
        max_length = 1500,
        pattern = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$"
    )]
    description: String,
    /// In hundredths of the currency's unit.
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    price: i64,
    /// When it was paid, in a year from 0 to 9999; when it is left out, now for a new expense and
    /// unchanged for one that exists.
    #[schema(format = DateTime)]
    date: Option<String>,
    /// Whether everyone has paid their part.
    #[serde(default)]
    resolved: bool,
    /// The id of who paid; nobody when it is left out.
    #[schema(format = "uuid")]
    payee_id: Option<String>,
    /// Names, each a line of 1 to 50 characters.
    #[serde(default)]
    #[schema(max_items = 20)]
    tags: Vec<Tag>,
}

/// The name of a tag.
#[derive(Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(
    min_length = 1,
    max_length = 50,
    pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$"
)]
pub(super) struct Tag(String);

impl<'de> Deserialize<'de> for ExpenseBody {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `remote = "Self"` derives an inherent function, which this guards.
        Self::deserialize(ObjectOnly(deserializer))
    }
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
            tags: sent.tags.into_iter().map(|Tag(name)| name).collect(),
        }
    }
}

/// Write an expense
#[utoipa::path(
    post,
    path = "/api/v1/expenses",
    tag = "Household",
    request_body = ExpenseBody,
    responses((status = 201, description = "The expense", body = OneExpense, headers(("Location" = String, description = "Where it is"))), ChangeRefusals)
)]
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

/// Write an expense anew
#[utoipa::path(
    put,
    path = "/api/v1/expenses/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    request_body = ExpenseBody,
    responses((status = 200, description = "The expense", body = OneExpense), ChangeRefusals)
)]
pub(super) async fn replace(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, RestError> {
    let sent: ExpenseBody = body::read(&state, request).await?;
    let store = &state.expenses.store;
    let expense = store.replace_expense(&id, sent.into()).await?;
    reply::expense(&expense, &Shape::whole())
}

/// Remove an expense
#[utoipa::path(
    delete,
    path = "/api/v1/expenses/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    responses((status = 204, description = "It is gone"), HouseholdRefusals)
)]
pub(super) async fn delete(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
) -> Result<StatusCode, RestError> {
    state.expenses.store.delete_expense(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
