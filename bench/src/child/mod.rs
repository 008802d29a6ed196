//! Processes that the wrapper starts: the server and the load.
//!
//! A [`ChildProcess`] cannot outlive the wrapper, keeps the last lines of its standard error for
//! messages, and hands over its CPU time and memory at its exit. Unix only.

mod error;
mod exit;
mod last_lines;
mod output;
mod process;
mod spawn;

pub use error::ChildError;
pub use exit::ChildExit;
pub use last_lines::LastLines;
pub(crate) use output::{Line, Lines};
pub use process::ChildProcess;
