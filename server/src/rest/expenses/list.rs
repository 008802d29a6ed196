//! Expenses: the list, and one of them.

use axum::{
    extract::{FromRequestParts, Path, Query, State},
    response::Response,
};
use http::request::Parts;
use serde::Deserialize;

use super::{
    super::{RestError, fields::Fields},
    reply::{self, Shape},
    routes::ExpensesState,
};
use crate::expenses::{ExpenseFields, ExpenseFilter, PartCount, Period};

/// Which expenses are asked for, and which of their fields.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    skip: Option<u32>,
    limit: Option<u32>,
    month: Option<u32>,
    year: Option<u32>,
    resolved: Option<bool>,
    expand: Option<Expand>,
    fields: Option<Fields>,
    parts: Option<u32>,
}

/// What an expense can hold whole instead of by its most needed fields.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Expand {
    /// The payee with all fields, as GraphQL can select them.
    Payee,
}

impl<S: Send + Sync> FromRequestParts<S> for ListQuery {
    type Rejection = RestError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, RestError> {
        match Query::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(query),
            Err(rejection) => Err(RestError::from_expenses_query(
                parts.uri.query(),
                &rejection,
            )),
        }
    }
}

impl ListQuery {
    fn filter(&self, fields: ExpenseFields) -> Result<ExpenseFilter, RestError> {
        let usual = ExpenseFilter::default();
        Ok(ExpenseFilter {
            id: None,
            skip: self.skip.unwrap_or(usual.skip),
            limit: self.limit.unwrap_or(usual.limit),
            period: Period::new(self.month, self.year)?,
            resolved: self.resolved,
            fields,
        })
    }

    fn shape(&self) -> Result<Shape, RestError> {
        let parts = self.parts.map(PartCount::new).transpose()?;
        Shape::new(self.expand.is_some(), self.fields.as_ref(), parts)
    }
}

/// The newest expenses; 404 when the filter lets none through.
pub(super) async fn all(
    State(state): State<ExpensesState>,
    query: ListQuery,
) -> Result<Response, RestError> {
    let shape = query.shape()?;
    let filter = query.filter(shape.fields_to_read())?;
    let expenses = state.expenses.store.expenses(&filter).await?;
    if expenses.is_empty() {
        return Err(RestError::NoExpenses);
    }
    reply::expenses(&expenses, &shape)
}

/// One expense.
pub(super) async fn one(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
    query: ListQuery,
) -> Result<Response, RestError> {
    let shape = query.shape()?;
    let expense = state.expenses.store.expense(&id).await?;
    reply::expense(&expense, &shape)
}
