//! Expenses: the list, and one of them.

use axum::{
    extract::{FromRequestParts, Query, State},
    response::Response,
};
use http::request::Parts;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    super::{RestError, fields::Fields, refusals::HouseholdRefusals, segment::Segment},
    reply::{self, Shape},
    routes::ExpensesState,
    shape::{Expenses, Field, OneExpense},
};
use crate::expenses::{ExpenseFields, ExpenseFilter, PartCount, Period};

/// Which expenses are asked for, and which of their fields.
#[derive(Debug, Default, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ListQuery {
    /// So many of the newest are passed over.
    #[param(minimum = 0, maximum = 4_294_967_295_u32)]
    skip: Option<u32>,
    /// At most so many; 50 when it is left out.
    #[param(minimum = 0, maximum = 4_294_967_295_u32)]
    limit: Option<u32>,
    /// Of the year given.
    #[param(minimum = 1, maximum = 12)]
    month: Option<u32>,
    #[param(minimum = 1, maximum = 9998)]
    year: Option<u32>,
    /// Only resolved ones, or only others.
    resolved: Option<bool>,
    #[param(inline)]
    expand: Option<Expand>,
    /// Only these.
    #[param(style = Form, explode = false, inline, value_type = Option<Vec<Field>>, min_items = 1)]
    fields: Option<Fields>,
    /// So many parts of each expense in addition.
    #[param(minimum = 0, maximum = 50)]
    parts: Option<u32>,
}

/// What an expense can hold whole instead of by its most needed fields.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
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

/// The newest expenses
///
/// 404 when there is none.
#[utoipa::path(
    get,
    path = "/api/v1/expenses",
    tag = "Household",
    params(ListQuery),
    responses((status = 200, description = "The newest first", body = Expenses), HouseholdRefusals)
)]
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

/// One expense
#[utoipa::path(
    get,
    path = "/api/v1/expenses/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    responses((status = 200, description = "The expense", body = OneExpense), HouseholdRefusals)
)]
pub(super) async fn one(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
    query: ListQuery,
) -> Result<Response, RestError> {
    let shape = query.shape()?;
    let expense = state.expenses.store.expense(&id).await?;
    reply::expense(&expense, &shape)
}
