//! The expenses over HTTP and `SQLite`: sizes, the same answers in both styles, lists, changes, tokens.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod changes;
#[path = "in_memory.rs"]
mod database;
mod cross_origin;
mod files;
mod household;
mod ledger;
mod lists;
mod same_answers;
mod sizes;
mod small_disk;
mod start;
mod tokens;
