//! Users and expenses under `/api/v1`, each answer in an envelope `{"data": …}`.

mod body;
mod change;
mod guard;
mod list;
mod login;
mod reply;
mod routes;
mod users;

pub use routes::router;
