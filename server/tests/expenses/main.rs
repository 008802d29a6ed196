//! The expenses over HTTP and `SQLite`: sizes, the same answers in all styles, lists, changes, tokens.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod calls;
mod changes;
mod connections;
mod cross_origin;
#[path = "in_memory.rs"]
mod database;
mod describe;
mod files;
mod household;
mod ledger;
mod lists;
mod parts;
mod resolvers;
mod rpc;
mod same_answers;
mod sizes;
mod small_disk;
mod start;
mod tokens;
