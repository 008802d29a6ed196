//! The relay with real sockets. No test here asks for a time that a busy machine could miss: delays and
//! rates are checked from below, how exact they are is what `relay --check` measures.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod ends;
mod order;
mod pair;
mod program;
mod time;
