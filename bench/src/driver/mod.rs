//! Starting a load process and reading what it did.
//!
//! Whatever drives the load is a child with k6's command line that leaves a
//! [`LoadSummary`](crate::record::LoadSummary) in the file that `BENCH_SUMMARY` names, so that
//! different executables can stand in the same place.

mod error;
mod job;
mod k6;
mod process;
mod suite;

pub use error::DriverError;
pub use job::Job;
pub use k6::K6;
pub use process::{Driver, DriverKind};
pub use suite::Suite;
