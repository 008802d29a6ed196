//! A token for a name and a password.

use axum::{
    extract::{Request, State},
    response::Response,
};
use serde::Deserialize;

use super::{
    super::{RestError, body},
    reply,
    routes::ExpensesState,
};

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
    let (head, content) = request.into_parts();
    let bytes = body::json_bytes(&head.headers, content, state.max_body_bytes).await?;
    let credentials: Credentials = serde_json::from_slice(&bytes).map_err(RestError::from_json)?;
    let Credentials { username, password } = credentials;
    let user = state.expenses.store.log_in(&username, password).await?;
    let now_s = jiff::Timestamp::now().as_second();
    reply::token(&state.expenses.tokens.issue(&user.id, &user.username, now_s))
}
