//! What can go wrong in a floor server, worded in one place.

use std::io;

/// A request that a floor server cannot answer, or a server that cannot run.
#[derive(Debug, thiserror::Error)]
pub enum FloorError {
    /// The teacher's address has another shape than `http://HOST:PORT`.
    #[error("`{0}` is not an address to learn from; give it as http://HOST:PORT")]
    TeacherAddress(String),
    /// The teacher cannot be reached.
    #[error("cannot connect to {address} to learn its answers: {source}; is that server running?")]
    Connect {
        /// Host and port.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// The teacher broke off.
    #[error("{address} gave no whole answer to {target}: {source}")]
    Ask {
        /// Host and port.
        address: String,
        /// Path and query asked for.
        target: String,
        /// Why.
        source: hyper::Error,
    },
    /// All answers are learned and this is not one of them.
    #[error(
        "{target} is not among the {learned} answers learned; give the number of different requests with --answers"
    )]
    NotLearned {
        /// Path and query asked for.
        target: String,
        /// How many answers there are.
        learned: usize,
    },
    /// The client broke off.
    #[error("reading a request failed: {0}")]
    Read(#[from] hyper::Error),
    /// The listening socket failed.
    #[error("accepting a connection failed: {0}")]
    Accept(#[from] io::Error),
}
