//! gRPC and gRPC-Web adapter.

use axum::{
    Router,
    response::{IntoResponse, Response},
};
use http::{HeaderMap, header::CONTENT_TYPE};

use crate::domain::SharedBookstore;

/// Limits of the gRPC adapter.
#[derive(Clone, Debug)]
pub struct RpcConfig {
    /// Largest message in bytes.
    pub max_message_bytes: usize,
}

impl Default for RpcConfig {
    fn default() -> Self {
        Self {
            max_message_bytes: 1 << 20,
        }
    }
}

/// The routes of the adapter; no fallback.
pub fn router(_store: SharedBookstore, _config: &RpcConfig) -> Router {
    Router::new()
}

/// The answer to a gRPC request that no route took; `None` for any other request.
#[must_use]
pub fn unimplemented(headers: &HeaderMap) -> Option<Response> {
    let media_type = headers.get(CONTENT_TYPE)?.as_bytes();
    media_type
        .starts_with(b"application/grpc")
        .then(|| [("grpc-status", "12")].into_response())
}
