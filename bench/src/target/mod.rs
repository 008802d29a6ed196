//! The server under test: a process of ours, or one that the user runs.

mod about;
mod error;
mod exchange;
mod household;
mod options;
mod quota;
mod ready;
mod server;
mod site;

pub use error::TargetError;
pub use household::log_in;
pub use options::TargetOptions;
pub use quota::{Quota, QuotaError};
pub use server::Target;
pub use site::Site;
