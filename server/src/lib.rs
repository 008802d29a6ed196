//! The Bookstore target server: one business rule in four API styles.
//!
//! A request goes `listen` → `app` → one adapter (`rest`, `rpc`, `graphql`) → `domain` and back the
//! same way. Adapters translate and hold no rules; the domain knows no transport.

mod about;
mod app;
mod clock;
mod config;
mod cors;
pub mod domain;
mod drain;
mod error;
mod event_stream;
pub mod expenses;
mod freshness;
pub mod graphql;
mod grpc_connection;
mod head_timer;
mod hop;
mod http1_connection;
mod index;
mod listen;
pub mod meteorites;
mod metrics;
mod request_log;
pub mod rest;
pub mod rpc;
mod serve;
mod setting;
mod surcharge;
mod tls;
mod work;

pub use about::BuildFacts;
pub use app::{App, app, app_with_expenses};
pub use config::ServerConfig;
pub use error::ServeError;
pub use freshness::Freshness;
pub use listen::{Addresses, Server};
pub use serve::serve;
pub use setting::{ConfigValueError, GraphqlUpstream, LogLevel, Switch};
pub use surcharge::{SurchargeLayer, SurchargedService};
pub use tls::{TlsConfig, TlsError};
