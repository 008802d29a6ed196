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
mod fields;
mod filter;
pub(crate) mod generator;
mod list;
mod model;
mod password;
mod read;
mod relations;
mod service;
mod setting;
mod sql_meter;
mod store;
mod write;

pub use access::{TokenError, Tokens};
pub use config::ExpensesConfig;
pub use database::{DatabaseError, PostgresAddress};
pub use draft::{ExpenseDraft, UserDraft};
pub use error::ExpenseError;
pub use fields::ExpenseFields;
pub use filter::{ExpenseFilter, Period};
pub use generator::{HouseholdSize, Part, PartCount};
pub use model::{Expense, User};
pub use relations::UnjoinedExpense;
pub use service::Expenses;
pub use setting::{DatabaseLocation, ResolverStyle, StyleScope};
pub use sql_meter::{SqlMeter, SqlUsage};
pub use store::ExpenseStore;
