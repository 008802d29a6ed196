//! A greeting that is the last segment of its path, as a published benchmark of gRPC against REST has it.

use axum::{extract::Path, response::Response};

use super::{RestError, reply};

/// `GET /restapi/message/{name}`: the name as a JSON string.
pub(super) async fn message(Path(name): Path<String>) -> Result<Response, RestError> {
    reply::json(&name)
}
