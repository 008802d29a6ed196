//! A slow link in user space: a TCP relay with a constant delay and a rate in each direction.
//!
//! # The model
//! Each direction of each connection is a wire of its own. A piece of data that was read at time *t*
//! is written when the wire has carried what came before it and the piece itself (`rate`), and then
//! [`Link::delay`] later. That is a token bucket that never saves tokens: a wire has no burst. Order is
//! kept, nothing is lost, and an end (FIN) or a reset (RST) follows the last byte that came before it.
//! `rate` counts the bytes of the TCP stream, not the headers below it.
//!
//! # Connections
//! The system accepts a connection before the relay hears of it, so its set-up would cost no round
//! trip. The relay makes up for it: the server sees the connection after one delay upwards, nothing of
//! the client's counts as sent before a whole round trip, and nothing of the server's before the
//! client's confirmation would have reached it. So the first answer comes after two round trips, as on
//! a link; only that a client's own clock finds the first of them in its first request and not in
//! `connect`.
//!
//! # Bounds
//! A direction holds at most what its wire carries in one delay (at 1 Gbit/s where there is no rate)
//! and [`RelayOptions::buffer_bytes`] more; then it reads no further and the sender's own socket fills
//! up. A connection takes four file descriptors.
//!
//! # Whose CPU time
//! The relay is a thread of the process that starts it, or, as a subcommand, a process. Neither is the
//! server or the load process, so its cost is in nobody's figures. But it does need a core now and then:
//! where the system allows it (root or `CAP_SYS_NICE` on Linux) its thread goes before ordinary ones,
//! else it is late when all cores are busy. [`RelayReport`] says by how much.

mod alarm;
mod args;
mod bit_rate;
pub mod check;
mod command;
mod connection;
mod cpu;
mod direction;
mod error;
mod lateness;
mod link;
mod priority;
mod queue;
mod report;
mod start;

pub use args::RelayArgs;
pub use bit_rate::{BitRate, BitRateError};
pub use command::execute;
pub use error::RelayError;
pub use link::Link;
pub use report::RelayReport;
pub use start::{DEFAULT_BUFFER_BYTES, Relay, RelayOptions};
