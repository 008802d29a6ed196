//! Users: all of them at once, as the thesis' server has no pages of them, or one.

use axum::{
    extract::{Path, Request, State},
    response::Response,
};
use http::StatusCode;
use serde::Deserialize;

use super::{super::RestError, body, reply, routes::ExpensesState};
use crate::expenses::UserDraft;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewUser {
    username: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangedUser {
    username: String,
    password: Option<String>,
}

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

/// A new user: 201, with its place. Nobody needs a token for it, as with the thesis' server.
pub(super) async fn create(
    State(state): State<ExpensesState>,
    request: Request,
) -> Result<Response, RestError> {
    let NewUser { username, password } = body::read(&state, request).await?;
    let draft = UserDraft { username, password };
    let user = state.expenses.store.create_user(draft).await?;
    let path = format!("/api/v1/users/{}", user.id);
    Ok(reply::created(reply::user(&user)?, &path))
}

/// Another name and, if it is sent, another password.
pub(super) async fn change(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, RestError> {
    let ChangedUser { username, password } = body::read(&state, request).await?;
    let store = &state.expenses.store;
    reply::user(&store.change_user(&id, username, password).await?)
}

/// Gone: 204. What the user paid for stays.
pub(super) async fn delete(
    State(state): State<ExpensesState>,
    Path(id): Path<String>,
) -> Result<StatusCode, RestError> {
    state.expenses.store.delete_user(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
