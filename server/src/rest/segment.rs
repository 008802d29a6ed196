//! The text in a path.

use axum::extract::{FromRequestParts, Path};
use http::request::Parts;

use super::RestError;

/// The one parameter of a path such as `/api/v1/users/{id}`, whatever it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Segment {
    type Rejection = RestError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, RestError> {
        match Path::<String>::from_request_parts(parts, state).await {
            Ok(Path(text)) => Ok(Self(text)),
            Err(rejection) => Err(RestError::BadPath(rejection)),
        }
    }
}
