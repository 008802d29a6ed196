//! TLS on both ports, when it is asked for.

mod acceptor;
mod config;
mod error;
mod identity;

pub use acceptor::{Acceptors, Handshakes};
pub use config::TlsConfig;
pub use error::TlsError;
