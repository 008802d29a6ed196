//! What is written to the database: each change is one transaction, done whole or not at all.

mod expenses;
mod users;
