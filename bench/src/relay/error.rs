//! Why there is no relay.

use std::{io, net::SocketAddr};

use thiserror::Error;

/// A failure of the relay as a whole; a broken connection concerns its two ends alone.
#[derive(Debug, Error)]
pub enum RelayError {
    /// The address cannot be listened on.
    #[error(
        "cannot listen on {address}: {source}; choose another with --listen (port 0 picks a free one)"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The relay's thread or its event loop could not be started.
    #[error("cannot start the relay's thread: {0}")]
    Thread(io::Error),
    /// The relay's thread is gone.
    #[error("the relay's thread ended by a defect of its own; start the relay again")]
    Gone,
    /// Termination signals cannot be caught.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(io::Error),
    /// A subcommand without a server to relay to.
    #[error("--to is missing; give the server's address like --to 127.0.0.1:5300, or --check")]
    NoServer,
    /// The relay would relay to itself.
    #[error("--to and --listen are both {0}; listen on another port (0 picks a free one)")]
    ToItself(SocketAddr),
    /// The measurement of its own error failed.
    #[error("the relay's check broke off: {0}")]
    Check(io::Error),
    /// The relay is less exact than it has to be.
    #[error(
        "{missed} of {made} checks are off by more than is allowed; try again on a quiet machine"
    )]
    Inexact {
        /// Checks outside their limits.
        missed: usize,
        /// Checks made.
        made: usize,
    },
}

impl RelayError {
    /// Whether the flags ask for something that no machine could do.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::NoServer | Self::ToItself(_))
    }
}
