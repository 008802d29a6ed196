//! The expenses over HTTP and `SQLite`: sizes, the same answers in both styles, lists, changes, tokens.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod changes;
mod cross_origin;
#[path = "in_memory.rs"]
mod database;
mod household;
mod lists;
mod same_answers;
mod sizes;
mod start;
mod tokens;
