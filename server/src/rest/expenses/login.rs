//! A token for a name and a password.

use axum::{
    extract::{Request, State},
    response::Response,
};
use serde::Deserialize;

use super::{super::RestError, body, reply, routes::ExpensesState};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    username: String,
    password: String,
}

/// Checks the two and answers a token that is good for 24 hours.
pub(super) async fn log_in(
    State(state): State<ExpensesState>,
    request: Request,
) -> Result<Response, RestError> {
    let Credentials { username, password } = body::read(&state, request).await?;
    let user = state.expenses.store.log_in(&username, password).await?;
    let now_s = jiff::Timestamp::now().as_second();
    reply::token(&state.expenses.tokens.issue(&user.id, &user.username, now_s))
}
