//! REST adapter: JSON over HTTP/1.1, errors as `application/problem+json` (RFC 9457).
//!
//! What a status means: 400 the request could not be read (syntax, path, query), 404 no such thing
//! or path, 405 no such method, 409 the state of the store forbids it, 413 body too large, 415 not
//! JSON, 422 well-formed JSON that does not describe a valid order (unknown or missing field, wrong
//! type, a value that the business rule never accepts).

mod body;
mod card;
mod catalog;
mod delay;
mod error;
mod events;
pub mod expenses;
mod fields;
mod greeting;
mod id;
mod meteorites;
mod object;
mod openapi;
mod problem;
mod refusals;
mod reply;
mod reservations;
mod routes;
mod scalar;
mod screens;
mod segment;
mod sparse;

pub use error::RestError;
pub use openapi::{DescribedExpenses, document};
pub use routes::{RestConfig, method_not_allowed, router};
