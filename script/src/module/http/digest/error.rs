//! Why there is no proof.

use thiserror::Error;

/// Why a challenge cannot be answered.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(in super::super) enum DigestError {
    #[error("the URL names no user; write it as http://user:password@host/")]
    NoUser,
    #[error("the user {0:?} cannot be sent in a header; take out line breaks and the like")]
    Letters(String),
    #[error("the server asks for {0:?}, not for digest")]
    OtherScheme(String),
    #[error("the server does not say what it asks for: there is no www-authenticate")]
    NoChallenge,
    #[error("the server's challenge has no {0}")]
    Missing(&'static str),
    #[error("the server asks for the algorithm {0:?}; known are MD5, SHA-256 and SHA-512-256")]
    Algorithm(String),
    #[error("the server asks for the quality {0:?}; known are auth and auth-int")]
    Quality(String),
}
