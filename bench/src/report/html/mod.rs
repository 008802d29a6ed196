//! The results as one HTML file: no network, no scripts needed, light and dark, printable.

mod appendix;
mod page;
mod svg;
mod table;

pub use page::render;
