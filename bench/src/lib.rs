//! The wrapper: measures the same Bookstore operations in every style.
//!
//! One measurement goes `options` → `session` → `run` (`target`, `driver`, `meter`) → `record` →
//! `analysis` → `report`. Renderers see only the recorded session.

pub mod analysis;
pub mod build;
pub mod catalogue;
pub mod child;
pub mod claims;
pub mod cli;
pub mod command;
pub mod compare;
pub mod costly;
pub mod doctor;
pub mod driver;
pub mod duration;
pub mod error;
pub mod files;
pub mod full_load;
mod gate;
pub mod interrupt;
pub mod load;
pub mod machine;
pub mod meter;
pub mod network;
pub mod number;
pub mod opening;
pub mod options;
pub mod output;
pub mod place;
pub mod plan;
pub mod print;
pub mod progress;
pub mod rate;
pub mod record;
pub mod relay;
pub mod replace;
pub mod report;
pub mod rows;
pub mod run;
pub mod script_compare;
pub mod session;
pub mod stats;
pub mod target;
mod timer;
mod trust;
pub mod verify;
