//! The expenses over HTTP: sizes, the same answers in both styles, lists, tokens.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod cross_origin;
mod household;
mod lists;
mod same_answers;
mod sizes;
mod start;
mod tokens;
