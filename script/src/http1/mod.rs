//! HTTP/1.1 from the client's side: one connection, one exchange at a time.
//!
//! `request` makes the bytes of a head. `head` and `body` take an answer apart (with `last_head` and
//! `chunked`), and know of no socket. `connection` carries the bytes (`outgoing` those of a request) and says when they
//! crossed the socket.

mod body;
mod chunked;
mod connection;
mod error;
#[cfg(test)]
mod fuzz;
mod head;
mod last_head;
mod outgoing;
mod request;
#[cfg(test)]
mod wire;

pub(crate) use connection::Connection;
pub(crate) use error::ExchangeError;
pub(crate) use head::{Fields, Head};
pub(crate) use request::{Request, asks_to_close, canonical, write_head};
