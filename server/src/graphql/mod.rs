//! GraphQL adapter, after the GraphQL-over-HTTP specification.
//!
//! `composed` is the same schema over gRPC services instead of the store.
//!
//! A request goes `handler` (HTTP) → `envelope` (its parameters) → `engine` (document, limits,
//! variables, execution by async-graphql) → `reply` (bytes). `documents` remembers documents that
//! were parsed and found valid before; it only ever spares work, see [`GraphqlConfig::document_cache`].
//! A subscription goes the same way into `event_stream` or, over a WebSocket, into `web_socket`.

mod composed;
mod config;
mod documents;
mod engine;
mod envelope;
mod event_stream;
mod expense_changes;
mod expense_nodes;
mod expense_relations;
mod expenses;
mod explorer;
mod guard;
mod handler;
mod inputs;
mod landings;
mod limits;
mod negotiation;
mod nulls;
mod orders;
mod persisted;
mod published;
mod refusal;
mod reply;
mod schema;
mod subscription;
mod types;
mod values;
mod variables;
mod web_socket;

pub use config::{GraphqlConfig, PersistedDocuments, Upstream};
pub use handler::{router, router_over_grpc, router_with_expenses};
