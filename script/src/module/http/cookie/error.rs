//! What is wrong with a cookie of a script.

use thiserror::Error;

/// Why a cookie cannot be kept or sent.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(in super::super) enum CookieError {
    #[error(
        "{0:?} cannot be the name of a cookie; give letters, digits and signs other than = ; , and spaces"
    )]
    Name(String),
    #[error("expires: {0:?} is no date; give one such as \"Wed, 21 Oct 2026 07:28:00 GMT\"")]
    Expires(String),
    #[error("{option}: {value} cannot be used; give {expected}")]
    Option {
        option: &'static str,
        value: String,
        expected: &'static str,
    },
}
