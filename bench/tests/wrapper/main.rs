//! The wrapper as a person meets it: real processes, real sessions of a fraction of a second, and
//! everything that can go wrong around them.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod claims;
mod faults;
mod help;
mod k6;
mod printing;
mod scripts;
mod sessions;
#[path = "../short/mod.rs"]
mod short;
mod sitting;
mod usage;
mod verify;
