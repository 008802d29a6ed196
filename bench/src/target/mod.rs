//! The server under test: a process of ours, or one that the user runs.

mod about;
mod error;
mod options;
mod ready;
mod server;

pub use error::TargetError;
pub use options::TargetOptions;
pub use server::Target;
