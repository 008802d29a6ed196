//! Users: all of them at once, as the thesis' server has no pages of them, or one.

use axum::{
    extract::{Path, State},
    response::Response,
};

use super::{super::RestError, reply, routes::ExpensesState};

/// All users, the oldest first.
pub(super) async fn all(State(state): State<ExpensesState>) -> Result<Response, RestError> {
    reply::users(&state.expenses.store.users().await?)
}

/// One user.
pub(super) async fn one(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
) -> Result<Response, RestError> {
    reply::user(&state.expenses.store.user(&id).await?)
}
