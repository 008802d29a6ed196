//! How a refusal is written: `application/problem+json` (RFC 9457).

use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use http::{
    HeaderValue, StatusCode,
    header::{CONTENT_TYPE, WWW_AUTHENTICATE},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::RestError;

/// Media type of every refusal.
pub const PROBLEM_JSON: &str = "application/problem+json";

/// Why a request was refused.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "type": "about:blank",
    "title": "Not Found",
    "status": 404,
    "detail": "book 99 does not exist; ids run from 1 to 50",
    "code": "UNKNOWN_BOOK"
}))]
pub struct Problem<'a> {
    /// Always `about:blank`: the status says what class of problem it is, and `code` which one.
    r#type: &'static str,
    /// The standard phrase of the status.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What was wrong with this request, and what would be accepted.
    detail: &'a str,
    /// Stable and machine-readable.
    code: &'static str,
}

impl IntoResponse for RestError {
    fn into_response(self) -> Response {
        let status = self.status();
        let problem = Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: &self.to_string(),
            code: self.code(),
        };
        // Strings and a number always have a JSON form.
        let body = serde_json::to_vec(&problem).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        let media_type = HeaderValue::from_static(PROBLEM_JSON);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        response
    }
}
