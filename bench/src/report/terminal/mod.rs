//! The results as a terminal shows them.

mod document;
mod table;

pub use document::render;
