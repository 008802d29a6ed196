//! The server over HTTP: sizes, refusals, sockets, and what it says of itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod describe;
mod listen;
mod observe;
mod refuse;
mod support;
mod wire;
