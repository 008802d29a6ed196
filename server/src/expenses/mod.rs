//! The expenses of a shared household over a real database: users, expenses, and tags on them.
//!
//! The second business of the server, after the service of a bachelor's thesis that compares REST with
//! GraphQL. [`ExpenseStore`] is the seam between rule and transport, as `Bookstore` is for the books.
//! Nothing of it exists unless the server was asked for it.

mod access;
mod database;
#[cfg(test)]
mod database_tests;
mod error;
mod filter;
pub(crate) mod generator;
mod model;
mod password;
mod read;
mod service;
mod setting;
mod store;

pub use access::{TokenError, Tokens};
pub use error::{DatabaseError, ExpenseError};
pub use filter::{ExpenseFilter, Period};
pub use model::{Expense, User};
pub use service::Expenses;
pub use setting::{DatabaseLocation, TokenScope};
pub use store::ExpenseStore;
