//! What can go wrong with a process of ours, in words.

use std::{io, path::PathBuf};

/// Why a process could not be started or waited for.
#[derive(Debug, thiserror::Error)]
pub enum ChildError {
    /// The executable does not exist.
    #[error(
        "there is no executable {}: check the path, or build it with `cargo build --release`",
        program.display()
    )]
    Missing {
        /// The executable.
        program: PathBuf,
    },
    /// The executable exists but cannot be started.
    #[error("cannot start {}: {source}; check that the file may be executed", program.display())]
    Start {
        /// The executable.
        program: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The system does not tell how it ended.
    #[error(
        "cannot wait for {name} (process {pid}): {source}; is SIGCHLD ignored by the program that \
         started the wrapper? Start it from a shell"
    )]
    Wait {
        /// What the process is for.
        name: String,
        /// The process.
        pid: u32,
        /// The system's answer.
        source: io::Error,
    },
}
