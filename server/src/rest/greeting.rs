//! A greeting that is the last segment of its path, as a published benchmark of gRPC against REST has it.

use axum::response::Response;

use super::{RestError, problem::Problem, reply, segment::Segment};

/// The text in the path
#[utoipa::path(
    get,
    path = "/restapi/message/{name}",
    tag = "Published benchmarks",
    params(("name" = String, Path, description = "Any text", example = "Rest API", min_length = 1)),
    responses(
        (
            status = 200,
            description = "The text as a JSON string",
            body = String,
            content_type = "application/json",
            example = "Rest API"
        ),
        (
            status = 400,
            description = "The path is no UTF-8",
            body = Problem<'_>,
            content_type = "application/problem+json"
        ),
    )
)]
pub(super) async fn message(Segment(name): Segment) -> Result<Response, RestError> {
    reply::json(&name)
}
