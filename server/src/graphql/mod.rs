//! GraphQL adapter.

use axum::Router;

use crate::domain::SharedBookstore;

/// Limits and switches of the GraphQL adapter.
#[derive(Clone, Debug)]
pub struct GraphqlConfig {
    /// Deepest nesting.
    pub max_depth: usize,
    /// Highest complexity.
    pub max_complexity: usize,
    /// Whether the schema can be asked for.
    pub introspection: bool,
    /// Whether validated documents are kept.
    pub document_cache: bool,
    /// Largest request body.
    pub max_body_bytes: usize,
}

impl Default for GraphqlConfig {
    fn default() -> Self {
        Self {
            max_depth: 10,
            max_complexity: 100,
            introspection: true,
            document_cache: true,
            max_body_bytes: 1 << 20,
        }
    }
}

/// The routes of the adapter.
pub fn router(_store: SharedBookstore, _config: &GraphqlConfig) -> Router {
    Router::new()
}
