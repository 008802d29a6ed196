//! Claims as a table, as Markdown, and as a list; from the record alone, but for the list.

mod legend;
pub mod list;
pub mod markdown;
mod sessions;
mod shared;
pub mod terminal;
pub mod words;
