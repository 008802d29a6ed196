//! Renderers against golden sessions.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cells;
mod files;
mod golden;
mod html;
mod invented;
mod schema;
mod setting;
mod text;
mod words;
