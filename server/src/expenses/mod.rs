//! The expenses of a shared household over a real database: users, expenses, and tags on them.
//!
//! The second business of the server, after the service of a bachelor's thesis that compares REST with
//! GraphQL. [`ExpenseStore`] is the seam between rule and transport, as `Bookstore` is for the books.
//! Nothing of it exists unless the server was asked for it.

mod access;
mod config;
mod database;
mod draft;
mod error;
mod filter;
mod generator;
mod model;
mod password;
mod read;
mod service;
mod setting;
mod store;
mod write;

pub use access::{TokenError, Tokens};
pub use config::ExpensesConfig;
pub use database::{DatabaseError, PostgresAddress};
pub use draft::{ExpenseDraft, UserDraft};
pub use error::ExpenseError;
pub use filter::{ExpenseFilter, Period};
pub use model::{Expense, User};
pub use service::Expenses;
pub use setting::{DatabaseLocation, StyleScope};
pub use store::ExpenseStore;
