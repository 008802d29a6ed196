//! A token for a name and a password.

use axum::{
    extract::{Request, State},
    response::Response,
};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::{
    super::{RestError, object::ObjectOnly, refusals::ChangeRefusals},
    body, reply,
    routes::ExpensesState,
    shape::OneToken,
};

/// What proves who asks for a token.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, remote = "Self", expecting = "a user, an object")]
#[schema(example = json!({ "username": "test0", "password": "test" }))]
pub(super) struct Credentials {
    username: String,
    password: String,
}

impl<'de> Deserialize<'de> for Credentials {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `remote = "Self"` derives an inherent function, which this guards.
        Self::deserialize(ObjectOnly(deserializer))
    }
}

/// A token for a name and a password
#[utoipa::path(
    post,
    path = "/api/v1/users/login",
    tag = "Household",
    request_body = Credentials,
    responses((status = 200, description = "A token that is good for 24 hours", body = OneToken), ChangeRefusals)
)]
pub(super) async fn log_in(
    State(state): State<ExpensesState>,
    request: Request,
) -> Result<Response, RestError> {
    let Credentials { username, password } = body::read(&state, request).await?;
    let user = state.expenses.store.log_in(&username, password).await?;
    let now_s = jiff::Timestamp::now().as_second();
    reply::token(&state.expenses.tokens.issue(&user.id, &user.username, now_s))
}
