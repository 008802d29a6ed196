//! `doctor`: what bears on measuring here, and what to fix.

mod checks;
mod diagnosis;
mod finding;
mod program;
mod surroundings;

pub use diagnosis::Diagnosis;
pub use finding::{Finding, Mark};
pub use surroundings::Surroundings;
