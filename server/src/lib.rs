//! The Bookstore target server: one business rule in four API styles.
//!
//! A request goes `listen` → one adapter (`rest`, `grpc`, `grpc_web`, `graphql`) → `domain` and
//! back the same way. Adapters translate and hold no rules; the domain knows no transport.

pub mod domain;
pub mod graphql;
pub mod rest;
pub mod rpc;
