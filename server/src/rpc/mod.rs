//! gRPC and gRPC-Web adapter.

use std::time::Duration;

use axum::Router;

use crate::domain::SharedBookstore;

/// Limits of the gRPC adapter.
#[derive(Clone, Debug)]
pub struct RpcConfig {
    /// Largest message in bytes.
    pub max_message_bytes: usize,
    /// Longest that a call may take.
    pub timeout: Duration,
}

impl Default for RpcConfig {
    fn default() -> Self {
        Self {
            max_message_bytes: 1 << 20,
            timeout: Duration::from_secs(30),
        }
    }
}

/// The routes of the adapter.
pub fn router(_store: SharedBookstore, _config: &RpcConfig) -> Router {
    Router::new().fallback(|| async { ([("grpc-status", "12")], "") })
}
