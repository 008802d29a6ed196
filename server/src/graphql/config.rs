//! What a server's owner can set about GraphQL.

/// Settings of the GraphQL adapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphqlConfig {
    /// Levels of selection in one document, fields and fragments counted alike. The parser itself
    /// stops at 64, so larger values act like 64.
    pub max_depth: usize,
    /// Fields that one document may resolve, fragments written out and lists multiplied by the
    /// number of items asked for.
    pub max_complexity: usize,
    /// Whether `__schema` and `__type` are answered.
    pub introspection: bool,
    /// Whether documents that were parsed and validated once are remembered. Off, every request is
    /// parsed and validated; the answers are the same.
    pub document_cache: bool,
    /// Bytes of a request body.
    pub max_body_bytes: usize,
}

impl Default for GraphqlConfig {
    /// Depth 24 lets the usual introspection query pass, which nests 18 levels.
    fn default() -> Self {
        Self {
            max_depth: 24,
            max_complexity: 1_000,
            introspection: true,
            document_cache: true,
            max_body_bytes: 1024 * 1024,
        }
    }
}
