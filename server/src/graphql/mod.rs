//! GraphQL adapter, after the GraphQL-over-HTTP specification.
//!
//! A request goes `handler` (HTTP) → `envelope` (its parameters) → `engine` (document, limits,
//! variables, execution by async-graphql) → `reply` (bytes). `documents` remembers documents that
//! were parsed and found valid before; it only ever spares work, see [`GraphqlConfig::document_cache`].

mod config;
mod documents;
mod engine;
mod envelope;
mod expense_changes;
mod expense_nodes;
mod expense_relations;
mod expenses;
mod explorer;
mod guard;
mod handler;
mod inputs;
mod limits;
mod negotiation;
mod nulls;
mod orders;
mod persisted;
mod refusal;
mod reply;
mod schema;
mod types;
mod values;
mod variables;

pub use config::{GraphqlConfig, PersistedDocuments};
pub use handler::{router, router_with_expenses};
