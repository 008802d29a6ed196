//! Users: all of them at once, as the thesis' server has no pages of them, or one.

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
        refusals::{ChangeRefusals, HouseholdRefusals, UsersRefusals},
        segment::Segment,
    },
    body, reply,
    routes::ExpensesState,
    shape::{OneUser, Users},
};
use crate::expenses::UserDraft;

/// A user that is to be added.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "a user, an object")]
#[schema(example = json!({ "username": "anna", "password": "a secret" }))]
pub(super) struct NewUser {
    /// A line of text that no other user has as a name.
    #[schema(
        min_length = 1,
        max_length = 64,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$"
    )]
    username: String,
    #[schema(min_length = 1, max_length = 256)]
    password: String,
}

/// A user anew.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "a user, an object")]
#[schema(example = json!({ "username": "anna" }))]
pub(super) struct ChangedUser {
    /// A line of text that no other user has as a name.
    #[schema(
        min_length = 1,
        max_length = 64,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*$"
    )]
    username: String,
    /// Stays when it is left out.
    #[schema(min_length = 1, max_length = 256)]
    password: Option<String>,
}

// `remote = "Self"` derives inherent functions, which these guard.
impl<'de> Deserialize<'de> for NewUser {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

impl<'de> Deserialize<'de> for ChangedUser {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(ObjectOnly(deserializer))
    }
}

/// All users
#[utoipa::path(
    get,
    path = "/api/v1/users",
    tag = "Household",
    responses((status = 200, description = "The oldest first", body = Users), UsersRefusals)
)]
pub(super) async fn all(State(state): State<ExpensesState>) -> Result<Response, RestError> {
    reply::users(&state.expenses.store.users().await?)
}

/// One user
#[utoipa::path(
    get,
    path = "/api/v1/users/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    responses((status = 200, description = "The user", body = OneUser), HouseholdRefusals)
)]
pub(super) async fn one(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
) -> Result<Response, RestError> {
    reply::user(&state.expenses.store.user(&id).await?)
}

/// Add a user
///
/// Nobody needs a token for it, as with the thesis' server.
#[utoipa::path(
    post,
    path = "/api/v1/users",
    tag = "Household",
    request_body = NewUser,
    responses((status = 201, description = "The user", body = OneUser, headers(("Location" = String, description = "Where it is"))), ChangeRefusals)
)]
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

/// Change a user
#[utoipa::path(
    put,
    path = "/api/v1/users/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    request_body = ChangedUser,
    responses((status = 200, description = "The user", body = OneUser), ChangeRefusals)
)]
pub(super) async fn change(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
    request: Request,
) -> Result<Response, RestError> {
    let ChangedUser { username, password } = body::read(&state, request).await?;
    let store = &state.expenses.store;
    reply::user(&store.change_user(&id, username, password).await?)
}

/// Remove a user
///
/// What the user paid for stays.
#[utoipa::path(
    delete,
    path = "/api/v1/users/{id}",
    tag = "Household",
    params(("id" = String, Path, description = "As a list names it", min_length = 1)),
    responses((status = 204, description = "It is gone"), HouseholdRefusals)
)]
pub(super) async fn delete(
    State(state): State<ExpensesState>,
    Segment(id): Segment,
) -> Result<StatusCode, RestError> {
    state.expenses.store.delete_user(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}
