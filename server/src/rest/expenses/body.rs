//! Reading what was sent about expenses and users.

use axum::extract::Request;
use serde::de::DeserializeOwned;

use super::{
    super::{RestError, body},
    routes::ExpensesState,
};

/// The body of a request, when it has this form.
///
/// # Errors
/// [`RestError`], when it is no JSON, too large, or of another form.
pub(super) async fn read<T: DeserializeOwned>(
    state: &ExpensesState,
    request: Request,
) -> Result<T, RestError> {
    let (head, content) = request.into_parts();
    let bytes = body::json_bytes(&head.headers, content, state.max_body_bytes).await?;
    serde_json::from_slice(&bytes).map_err(|error| match RestError::from_json(error) {
        RestError::UnexpectedJson(error) => RestError::UnexpectedExpenses(error),
        other => other,
    })
}
