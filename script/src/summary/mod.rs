//! What a run tells at its end.

mod data;
mod export;
mod format;
mod group;
mod output;
mod text;
mod totals;

pub(crate) use data::{number, summary_data};
pub(crate) use export::summary_export;
pub(crate) use output::{Written, read_result};
pub(crate) use text::text_summary;
pub(crate) use totals::{MetricTotal, Totals, Values};
