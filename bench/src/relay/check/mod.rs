//! How exact the relay is: what was asked of it beside what was measured through it.

mod delay;
mod pair;
mod plan;
mod rate;
mod table;

pub use plan::{Plan, Slowed, run};
pub use table::{Asked, Check, Checks};
