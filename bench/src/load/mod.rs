//! The compiled load clients.
//!
//! `settings` says what to do, `engine` shares the virtual users among `worker` threads, each `vu`
//! asks its `schedule` when to start and its `client` to carry out one operation, and `tally`
//! collects what came of it for the `summary`. A `style` knows requests and answers, `wire` the
//! connections under them.

mod args;
mod client;
mod command;
mod engine;
mod error;
mod failure;
mod household;
mod schedule;
mod settings;
mod style;
mod summary;
mod summary_file;
mod tally;
mod vu;
mod watchdog;
mod wire;
mod worker;

pub(crate) use client::AGENT;

pub use args::{LoadArgs, LoadCommand, Variable};
pub use command::execute;
pub use engine::{run, run_until};
pub use error::LoadError;
