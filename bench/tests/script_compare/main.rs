//! `script compare` with our own runner in k6's place, and one fault planted at a time: each must be
//! reported by its name, and nothing besides what follows from it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod faults;
mod refusals;
mod stand_in;
mod suite;
