//! The database under the store: `SQLite` or `PostgreSQL`, which answer alike.

mod address;
mod error;
mod fill;
mod opening;
mod pool;
mod postgres;
mod sqlite;
#[cfg(test)]
mod sqlite_tests;
mod statement;

pub use address::PostgresAddress;
pub use error::DatabaseError;
pub(super) use fill::insert_expenses;
pub(super) use opening::Opening;
pub(super) use pool::{Pool, Readable, Row, Transaction};
pub(super) use statement::{Statement, Value};
