//! From runs to findings: which runs count, what each row costs, and which differences are settled.

mod analyse;
mod comparison;
mod noise_floor;
mod rounds;
mod row;
mod verdict;
mod warning;

pub use analyse::analyse;
pub(crate) use rounds::{Rounds, count};
pub(crate) use verdict::{MOST_MORE_ROUNDS, rounds_to_an_interval, rounds_until, too_wide};
