//! One script in the embedded runner and in the user's own k6, and everything in which they differ.
//!
//! Both are processes with the same command line, one after the other. What they send goes through
//! relays of ours, which record it; what they count is in the files of `--summary-export` and
//! `--out json`. Nothing is injected into the script.

mod args;
mod comparison;
mod difference;
mod endpoint;
mod error;
mod http1;
mod http2;
mod launch;
mod observation;
mod relay;
mod report;
mod requests;
mod samples;
mod servers;
mod summary;
mod traffic;

pub use args::ScriptCompareArgs;
pub use comparison::{Comparison, compare};
pub use difference::{Difference, Part};
pub use error::CompareError;
