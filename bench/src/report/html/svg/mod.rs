//! Charts as inline SVG, coloured by the page's CSS variables.

pub(super) mod bars;
pub(super) mod forest;
mod mark;
pub(super) mod runs;
mod scale;
