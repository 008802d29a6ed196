//! Digest authentication (RFC 7616).

mod algorithm;
mod challenge;
mod error;
mod header;
mod proof;
#[cfg(test)]
mod tests;

pub(super) use challenge::Challenge;
pub(super) use error::DigestError;
pub(super) use proof::{Subject, client_nonce};
