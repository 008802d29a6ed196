//! The wrapper: measures the same Bookstore operations in every style.
//!
//! One measurement goes `plan` → `session` → `run` (`target`, `driver`, `meter`) → `record` →
//! `analysis` → `report`. Renderers see only the recorded session.

pub mod analysis;
pub mod build;
pub mod catalogue;
pub mod child;
pub mod doctor;
pub mod gate;
pub mod load;
pub mod machine;
pub mod meter;
pub mod plan;
pub mod record;
pub mod report;
pub mod stats;
pub mod target;
