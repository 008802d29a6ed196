//! Lets only those through who send a token.

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::header::AUTHORIZATION;

use super::{negotiation, negotiation::MediaType, refusal::Refusal, reply};
use crate::expenses::Tokens;

/// Refuses a request without a valid token.
pub async fn token_holders(State(tokens): State<Tokens>, request: Request, next: Next) -> Response {
    let sent = request.headers().get(AUTHORIZATION);
    let sent = sent.and_then(|value| value.to_str().ok());
    match tokens.check(sent, jiff::Timestamp::now().as_second()) {
        Ok(()) => next.run(request).await,
        Err(error) => {
            let media_type = negotiation::answer_type(request.headers()).unwrap_or(MediaType::Json);
            reply::refusal(&Refusal::Unauthenticated(error), media_type)
        }
    }
}
