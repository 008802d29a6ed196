//! The client side of HTTP/2 (RFC 9113), over any stream of bytes.
//!
//! [`State`] is the protocol without a socket: bytes come in, bytes and the parts of answers come out.
//! [`Connection`] moves them over a stream while one of its [`Exchange`]s waits. `hpack` is the
//! compression of headers. `fuzz` holds all of it against the `h2` crate.

mod connection;
mod error;
mod exchange;
mod frame;
#[cfg(test)]
mod fuzz;
mod hpack;
mod limits;
mod received;
mod state;
mod stream;

pub(crate) use connection::Connection;
pub(crate) use error::{Failure, Reason};
pub(crate) use exchange::Exchange;
pub(crate) use hpack::Field;
