//! The server over HTTP: sizes, refusals, sockets, and what it says of itself.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod backend;
mod caching;
mod composed;
mod describe;
mod fields;
mod hop;
mod listen;
mod logging;
mod observe;
mod refuse;
mod rest_over_h2c;
mod second_screen;
mod support;
mod unread;
mod wire;
