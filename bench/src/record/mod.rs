//! What a session leaves behind: the content of `results.json`.
//!
//! Everything that a table, a report or a comparison shows is computed from these types and from
//! nothing else. Field names carry their unit. The published JSON Schema is generated from here.

mod analysis;
mod claims;
mod condition;
mod figure;
mod file;
#[cfg(test)]
pub(crate) mod fixture;
mod gate;
mod link;
mod load_summary;
mod machine;
mod maximum;
mod run;
mod samples;
mod sequence;
mod session;
mod sql;

pub use analysis::*;
pub use claims::*;
pub use condition::*;
pub use figure::*;
pub use file::*;
pub use gate::*;
pub use link::*;
pub use load_summary::*;
pub use machine::*;
pub use maximum::*;
pub use run::*;
pub use samples::*;
pub use sequence::*;
pub use session::*;
pub use sql::*;
