//! What a server's owner can set about GraphQL.

use std::net::SocketAddr;

use clap::ValueEnum;

use crate::freshness::Freshness;

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
    /// Which requests may name their document instead of sending it.
    pub persisted: PersistedDocuments,
    /// How long answers to queries by GET stay fresh; no headers of caching when `None`.
    pub freshness: Option<Freshness>,
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
            persisted: PersistedDocuments::Off,
            freshness: None,
            max_body_bytes: 1024 * 1024,
        }
    }
}

/// gRPC services that are asked instead of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upstream {
    /// Where they speak HTTP/2 cleartext.
    pub address: SocketAddr,
    /// Whether what belongs to a book is asked for in one call.
    pub is_batching: bool,
}

/// Which requests may name their document instead of sending it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PersistedDocuments {
    /// None; every request sends its document.
    Off,
    /// By SHA-256 hash (a document sent once with its hash is kept) or by the id of a listed document.
    Automatic,
    /// Listed documents alone, by hash, id or full text; any other document is refused.
    AllowList,
}
