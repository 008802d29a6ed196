//! The same over HTTP and `PostgreSQL`, and what becomes of databases and servers that fail.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod changes;
mod cluster;
mod cross_origin;
#[path = "on_a_server.rs"]
mod database;
mod household;
mod ledger;
mod lists;
mod parts;
mod postgres_files;
mod postgres_refusals;
mod resolvers;
mod rpc;
mod same_answers;
mod sizes;
mod small_disk;
mod tokens;
