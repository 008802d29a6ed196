//! Proof that every style gives the same answers, before anything is measured: a style that fails
//! fast, or answers less, would win every comparison.

mod cell;
mod comparison;
pub(crate) mod events;
mod frame;
mod household;
mod landing;
mod order;
mod peer;
mod report;
mod screen;
mod work;

pub use cell::{CellError, Tried, try_cells};
pub use comparison::{Verified, verify, verify_household, verify_work};
pub use peer::VerifyError;
pub use report::render;

use comparison::Answer;
pub(crate) use comparison::compare_all;
pub(crate) use peer::{Peer, Reply, Transport};
