//! Users and expenses under `/api/v1`, each answer in an envelope `{"data": …}`.

mod body;
mod change;
mod document;
mod guard;
mod list;
mod login;
mod reply;
mod routes;
mod shape;
mod users;

pub use document::document;
pub use routes::router;
