//! The GraphQL adapter over HTTP, with the document cache and without.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod errors;
mod explorer;
mod http_rules;
mod limits;
mod persisted;
mod same_answers;
mod wire;
