//! The same over HTTP and `PostgreSQL`, and what becomes of databases and servers that fail.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod changes;
mod cluster;
#[path = "on_a_server.rs"]
mod database;
mod household;
mod lists;
mod same_answers;
mod sizes;
mod tokens;
