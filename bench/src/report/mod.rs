//! Renderers: from a recorded session to a table, Markdown, CSV and one HTML file.
//!
//! They read the [`Session`](crate::record::Session) and nothing else, so rendering a session again
//! gives the same bytes.

pub mod cells;
pub mod csv;
mod footnote;
pub mod html;
pub mod markdown;
pub mod number;
pub mod remark;
pub mod section;
pub mod sequence;
pub mod terminal;
pub mod view;
pub mod words;
mod write;

pub use write::{ReportError, write_all};

/// The published JSON Schema of `results.json`; a test keeps it in step with the record.
pub const RESULTS_SCHEMA_JSON: &str = include_str!("../../schema/results.schema.json");

/// The published JSON Schema of `claims.json`; a test keeps it in step with the record.
pub const CLAIMS_SCHEMA_JSON: &str = include_str!("../../schema/claims.schema.json");
