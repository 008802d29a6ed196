//! The same events by every kind of stream, over real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod equal;
mod leaving;
mod peer;
mod refusals;
mod sizes;
mod web_socket;
