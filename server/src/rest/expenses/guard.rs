//! Lets only those through who send a token.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::header::AUTHORIZATION;

use super::super::RestError;
use crate::expenses::Tokens;

/// Refuses a request without a valid token.
pub(super) async fn token_holders(
    State(tokens): State<Tokens>,
    request: Request,
    next: Next,
) -> Result<Response, RestError> {
    let sent = request.headers().get(AUTHORIZATION);
    let sent = sent.and_then(|value| value.to_str().ok());
    tokens.check(sent, jiff::Timestamp::now().as_second())?;
    Ok(next.run(request).await)
}
