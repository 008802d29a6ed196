//! Messages without an intermediate form: a plan, compiled from descriptors once for each virtual
//! user and type, reads properties of JavaScript objects and writes wire bytes, and the other way
//! round.
//!
//! The plan writes only what it surely understands. Whatever else a script hands over goes the
//! long way through `JSON.stringify` and a dynamic message, which also words the errors.

mod build;
mod dynamic;
mod layouts;
mod object;
#[cfg(test)]
mod random;
mod read;
mod scalar;
mod shape;
#[cfg(test)]
mod tests;
mod well_known;
mod wire;
mod write;

pub(super) use dynamic::on_thread_stack;
pub(super) use object::{Name, Names, set, set_getter};
pub(super) use read::{ReadError, define};
pub(super) use shape::Plan;
#[cfg(test)]
pub(super) use tests::layouts_in_use;
pub(super) use write::{NonFinite, WriteError};
