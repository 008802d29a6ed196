//! Why a load run cannot be started or its summary not be left.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

use crate::{duration::DurationError, target::TargetError, trust::TrustError};

/// What keeps `load` from measuring anything. A target that does not answer is no such error: it
/// makes failed operations.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The script belongs to no cell of the catalogue.
    #[error("no cell has the script `{script}`; known scripts: {known}")]
    UnknownScript {
        /// What was given.
        script: String,
        /// The catalogue's scripts, separated by commas.
        known: String,
    },
    /// The catalogue has a cell that this version cannot drive.
    #[error("the cell `{cell}` has no compiled client; drive it with another engine")]
    NoClient {
        /// The cell's id.
        cell: String,
    },
    /// An environment variable or `-e` has a value that cannot be used.
    #[error("{name}={value} cannot be used: {problem}")]
    Variable {
        /// Name of the variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What would be accepted.
        problem: String,
    },
    /// `DURATION` is no duration.
    #[error("DURATION: {0}")]
    Duration(#[from] DurationError),
    /// The certificate that `TLS_TRUST` names cannot be used.
    #[error("TLS_TRUST: {0}")]
    Trust(#[from] TrustError),
    /// The server gives no token.
    #[error(transparent)]
    LogIn(#[from] TargetError),
    /// A time of zero.
    #[error("{flag} is 0; give a time longer than that")]
    NoTime {
        /// `--duration` or `--timeout`.
        flag: &'static str,
    },
    /// A time that the clock does not reach.
    #[error("{flag} is {} s; give at most 8760h, which is a year", time.as_secs())]
    TooLong {
        /// `--duration` or `--timeout`.
        flag: &'static str,
        /// The time given.
        time: Duration,
    },
    /// The host name has no address.
    #[error("cannot resolve the address `{address}`: {source}")]
    Resolve {
        /// Host and port as given.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// The system gives no thread, event queue, timer or signal handler.
    #[error("cannot set up {what}: {source}")]
    System {
        /// What was wanted.
        what: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A worker ended by a defect of its own.
    #[error("a worker thread panicked; its message is above")]
    Panicked,
    /// The summary cannot be written.
    #[error(
        "cannot write the summary {}: {source}; BENCH_SUMMARY must name a file in a writable folder",
        path.display()
    )]
    Summary {
        /// The file that `BENCH_SUMMARY` names.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl LoadError {
    /// Whether the command line or the environment asks for something that cannot be done.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::UnknownScript { .. }
                | Self::NoClient { .. }
                | Self::Variable { .. }
                | Self::Duration(_)
                | Self::Trust(_)
                | Self::NoTime { .. }
                | Self::TooLong { .. }
        )
    }
}

/// Makes an error of the system one of ours.
pub(super) fn system(what: &'static str) -> impl Fn(io::Error) -> LoadError {
    move |source| LoadError::System { what, source }
}
