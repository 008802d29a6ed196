//! Why nothing could be compared, in words.

use std::{io, path::PathBuf};

use thiserror::Error;

use crate::{child::ChildError, driver::DriverError, target::TargetError};

/// Why a script could not be run in both, or its traces not be read.
#[derive(Debug, Error)]
pub enum CompareError {
    /// The script is not there.
    #[error("there is no script {}; check the path", .0.display())]
    NoScript(PathBuf),
    /// A variable's server does not answer.
    #[error(
        "nobody answers at {value}, which -e {variable} names: {source}; start the server first"
    )]
    Silent {
        /// The variable.
        variable: String,
        /// Its value.
        value: String,
        /// The system's answer.
        source: io::Error,
    },
    /// A relay cannot listen.
    #[error("cannot listen on a port of 127.0.0.1 for the relay: {0}")]
    Relay(io::Error),
    /// The server of ours does not come up.
    #[error(transparent)]
    Server(#[from] TargetError),
    /// There is no k6 that can be used.
    #[error(transparent)]
    K6(#[from] DriverError),
    /// A run could not be started or waited for.
    #[error(transparent)]
    Child(#[from] ChildError),
    /// The folder for the runs' files cannot be used.
    #[error("cannot keep files for the comparison: {0}; is the disk full?")]
    Folder(io::Error),
    /// A file that a run wrote is not what its flag promises.
    #[error("{engine} wrote something with {flag} that cannot be read: {reason}")]
    Unreadable {
        /// Who wrote it.
        engine: String,
        /// The flag that asked for it.
        flag: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// Handlers for Ctrl-C cannot be installed.
    #[error("cannot listen for Ctrl-C: {0}")]
    Signals(io::Error),
    /// Ctrl-C.
    #[error("interrupted; nothing was compared")]
    Interrupted,
}

impl CompareError {
    /// The exit code: 1 failed, 2 usage, 130 interrupted.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoScript(_) => 2,
            Self::Interrupted => 130,
            _ => 1,
        }
    }
}
