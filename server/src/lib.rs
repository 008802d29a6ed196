//! The Bookstore target server: one business rule in four API styles.
//!
//! A request goes `listen` → `app` → one adapter (`rest`, `rpc`, `graphql`) → `domain` and back the
//! same way. Adapters translate and hold no rules; the domain knows no transport.

mod about;
mod app;
mod clock;
mod config;
pub mod domain;
mod drain;
mod error;
pub mod expenses;
mod freshness;
pub mod graphql;
mod head_timer;
mod hop;
mod index;
mod listen;
pub mod meteorites;
mod metrics;
pub mod rest;
pub mod rpc;
mod serve;
mod setting;
mod surcharge;

pub use about::BuildFacts;
pub use app::{App, app, app_with_expenses};
pub use config::ServerConfig;
pub use error::ServeError;
pub use freshness::Freshness;
pub use listen::{Addresses, Server};
pub use serve::serve;
pub use setting::{ConfigValueError, LogLevel, Switch};
pub use surcharge::{SurchargeLayer, SurchargedService};
