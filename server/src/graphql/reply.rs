//! Writes an answer as an HTTP response.

use std::io;

use async_graphql::{Response as Executed, ServerError};
use axum::{body::Body, response::Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use super::{engine::Answer, negotiation::MediaType, refusal::Refusal};

/// Room for the answers of the measured operations without growing.
const USUAL_BYTES: usize = 384;

/// The response to a request that reached the engine.
pub fn answer(answer: &Answer, media_type: MediaType) -> Response {
    match answer {
        Answer::Executed(response) => {
            let body = executed(response);
            write(StatusCode::OK, media_type, body)
        }
        Answer::Invalid(errors) => write(request_error(media_type), media_type, failed(errors)),
        Answer::Refused(refusal) => self::refusal(refusal, media_type),
    }
}

/// Whether an answer may be kept by a cache: it was executed, and without an error.
pub fn is_cacheable(answer: &Answer) -> bool {
    matches!(answer, Answer::Executed(response) if response.is_ok())
}

/// The response to a request that was refused.
pub fn refusal(refusal: &Refusal, media_type: MediaType) -> Response {
    let status = refusal
        .http_status()
        .unwrap_or_else(|| request_error(media_type));
    let body = failed(&[ServerError::from(refusal)]);
    let mut response = write(status, media_type, body);
    let (name, value) = match refusal {
        Refusal::MutationOverGet => (header::ALLOW, "POST"),
        Refusal::Method { .. } => (header::ALLOW, "GET, HEAD, POST"),
        Refusal::Unauthenticated(_) => (header::WWW_AUTHENTICATE, "Bearer"),
        _ => return response,
    };
    response
        .headers_mut()
        .insert(name, HeaderValue::from_static(value));
    response
}

/// A well-formed request that cannot be executed: its status depends on the media type.
fn request_error(media_type: MediaType) -> StatusCode {
    match media_type {
        MediaType::Json => StatusCode::OK,
        MediaType::GraphqlResponse => StatusCode::BAD_REQUEST,
    }
}

fn executed(response: &Executed) -> Vec<u8> {
    let mut body = Vec::with_capacity(USUAL_BYTES);
    write_executed(response, &mut body);
    body
}

/// Writes the members of an answer as JSON.
pub fn write_executed(response: &Executed, writer: impl io::Write) {
    #[derive(Serialize)]
    struct Members<'a> {
        data: &'a async_graphql::Value,
        #[serde(skip_serializing_if = "<[ServerError]>::is_empty")]
        errors: &'a [ServerError],
    }
    json(
        &Members {
            data: &response.data,
            errors: &response.errors,
        },
        writer,
    );
}

/// A request error has no `data` at all.
fn failed(errors: &[ServerError]) -> Vec<u8> {
    #[derive(Serialize)]
    struct Members<'a> {
        errors: &'a [ServerError],
    }
    let mut body = Vec::with_capacity(USUAL_BYTES);
    json(&Members { errors }, &mut body);
    body
}

fn json(members: &impl Serialize, writer: impl io::Write) {
    serde_json::to_writer(writer, members)
        .expect("strings, numbers and maps with string keys always have a JSON form");
}

fn write(status: StatusCode, media_type: MediaType, body: Vec<u8>) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type.content_type());
    response
}
