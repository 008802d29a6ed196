//! TLS from the client's side.
//!
//! `settings` is what the options say, `version` and `cipher_suite` are the names in it, `identity` a
//! certificate that we show and `roots` those that are trusted; `own` adds to them for one connection. `connector` makes of them what opens a
//! `stream` over a socket that counts; `failure` says why that went wrong.

mod cipher_suite;
mod connector;
mod failure;
mod identity;
mod own;
mod roots;
mod settings;
mod stream;
mod verifier;
mod version;

pub(crate) use cipher_suite::{CipherSuites, NAMES as CIPHER_SUITES};
pub(crate) use connector::{Alpn, Connector, Connectors};
pub(crate) use failure::TlsError;
pub(crate) use identity::Identity;
pub(crate) use own::{OwnError, OwnTls};
pub(crate) use roots::RootSource;
pub(crate) use settings::{ClientAuth, TlsSettings};
pub(crate) use stream::{Session, TlsStream};
pub(crate) use version::{TlsVersion, TlsVersions};
