//! The time that a backend would take for a read.

use std::time::Duration;

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use http::StatusCode;

/// The layer of routes that read: their answers come so much later. A request that could not be read
/// (400), or that no handler takes (405), would not have reached the backend and is answered at once.
///
/// A layer for the servers that have such a backend, because a handler that may wait costs every
/// request of the others some hundred instructions.
pub(super) async fn of_reads(
    State(delay): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    let response = next.run(request).await;
    let refused = [StatusCode::BAD_REQUEST, StatusCode::METHOD_NOT_ALLOWED];
    if !refused.contains(&response.status()) {
        tokio::time::sleep(delay).await;
    }
    response
}
