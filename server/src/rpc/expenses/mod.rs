//! `bookstore.bench.v1.ExpensesService`.

mod mask;
mod message;
mod refusal;
mod service;

pub use service::ExpensesRpc;
