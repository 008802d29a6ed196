//! GraphQL adapter.
