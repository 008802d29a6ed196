//! gRPC and gRPC-Web adapter.

use axum::Router;

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

/// The routes of the adapter.
pub fn router(_store: SharedBookstore, _config: &RpcConfig) -> Router {
    Router::new().fallback(|| async { ([("grpc-status", "12")], "") })
}
