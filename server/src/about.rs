//! `GET /about`: what this server is, so that a measurement can say what it measured.

use axum::{Json, Router, routing::get};
use serde::Serialize;

use crate::ServerConfig;

/// How the executable around this library was built.
#[derive(Clone, Copy, Debug)]
pub struct BuildFacts {
    /// Version of the executable.
    pub version: &'static str,
    /// Git revision, when known.
    pub git_revision: Option<&'static str>,
    /// `release` or `debug`.
    pub build_profile: &'static str,
    /// Memory allocator.
    pub allocator: &'static str,
}

/// The answer, field by field what the wrapper records of a server.
#[derive(Clone, Copy, Debug, Serialize)]
struct ServerFacts {
    version: &'static str,
    git_revision: Option<&'static str>,
    build_profile: &'static str,
    debug_assertions: bool,
    allocator: &'static str,
    log_level: &'static str,
    worker_threads: usize,
    graphql_document_cache: bool,
}

/// The route `/about`.
pub fn router(config: &ServerConfig, build: BuildFacts) -> Router {
    let facts = ServerFacts {
        version: build.version,
        git_revision: build.git_revision,
        build_profile: build.build_profile,
        debug_assertions: cfg!(debug_assertions),
        allocator: build.allocator,
        log_level: config.log_level.name(),
        worker_threads: config.workers,
        graphql_document_cache: config.graphql_document_cache.is_on(),
    };
    Router::new().route("/about", get(async move || Json(facts)))
}
