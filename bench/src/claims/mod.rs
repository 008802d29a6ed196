//! What others have claimed about API styles, checked here.
//!
//! One direction: `catalogue` → `plan` → `campaign` (sessions and checks) → `evidence` → `judge` →
//! `render`. A claim is data in `claims/`; only a new kind of evidence or a new check is code.

mod campaign;
pub mod catalogue;
pub mod checks;
mod estimate;
pub mod evidence;
#[cfg(test)]
mod invented;
pub mod judge;
mod output;
pub mod part;
mod plan;
pub mod published;
pub mod quantity;
pub mod render;
mod resume;
pub mod stack;
pub mod sweep;
mod together;
pub mod verdict;

pub use campaign::{Finished, check};
pub use catalogue::Claims;
pub(crate) use estimate::estimate;
