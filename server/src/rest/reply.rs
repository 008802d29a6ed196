//! How an answer is written.

use axum::{body::Body, response::Response};
use http::{HeaderValue, header::CONTENT_TYPE};
use serde::Serialize;

use super::RestError;

/// Larger than every answer but that of all reviews of a book, so that the buffer rarely grows.
const USUAL_BYTES: usize = 256;

/// 200 with `content` as JSON.
///
/// # Errors
/// [`RestError::Unwritable`], when `content` has no JSON form.
pub fn json(content: &impl Serialize) -> Result<Response, RestError> {
    json_of(content, USUAL_BYTES)
}

/// As [`json`], when about so many bytes are expected.
///
/// # Errors
/// As [`json`].
pub fn json_of(content: &impl Serialize, expected_bytes: usize) -> Result<Response, RestError> {
    let mut body = Vec::with_capacity(expected_bytes);
    serde_json::to_writer(&mut body, content).map_err(RestError::Unwritable)?;
    let mut response = Response::new(Body::from(body));
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    Ok(response)
}
