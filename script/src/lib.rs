//! Runs k6 scripts for HTTP and gRPC on an embedded JavaScript engine.
//!
//! Every virtual user has a `QuickJS` engine and a stack of its own; all virtual users of a worker
//! share one thread. See the README of this crate for how the parts work together, how a module is
//! added, and what differs from k6.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the engine hands arguments to native functions by value"
)]

pub mod engine;
pub mod error;
pub mod metric;
pub mod module;
pub mod options;
pub mod threshold;

mod alarm;
mod args;
mod control;
#[cfg(test)]
mod deaf;
mod executor;
mod global;
mod http1;
mod http2;
mod log;
mod output;
mod paths;
mod run;
mod summary;
mod test;
mod tls;

pub use args::{ScriptArgs, SummaryMode};
pub use control::{Control, Stop};
pub use log::{Level, Log, SharedWriter, Streams};
pub use run::{ScriptOutcome, run, run_with};
pub use test::Test;
