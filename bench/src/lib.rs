//! The wrapper: measures the same Bookstore operations in every style.
//!
//! One measurement goes `plan` → `session` → `run` (`target`, `driver`, `meter`) → `record` →
//! `analysis` → `report`. Renderers see only the recorded session.

pub mod catalogue;
pub mod record;
