//! Why a meter could not read, in words.

use std::{io, path::PathBuf};

/// Why a reading failed. A failed reading is never a zero.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// There is no such process (any more).
    #[error(
        "process {pid} is gone, so its CPU time cannot be read; it ended or was killed while it was \
         measured: look at its last messages, then measure again"
    )]
    Vanished {
        /// The process.
        pid: u32,
    },
    /// The process id now belongs to another process.
    #[error(
        "process id {pid} belongs to another process than at the start of the window; the first one \
         ended meanwhile: give the id of a process that lives through the run"
    )]
    Replaced {
        /// The process id.
        pid: u32,
    },
    /// The system forbids it.
    #[error(
        "no permission to read {}; run the wrapper as the user who owns the process, or, where /proc \
         is mounted with hidepid, as a member of its gid= group",
        path.display()
    )]
    Denied {
        /// What could not be read.
        path: PathBuf,
    },
    /// The CPU clock of a process cannot be read.
    #[error(
        "the CPU clock of process {pid} cannot be read: {source}; allow clock_gettime in the \
         sandbox or container that runs the wrapper"
    )]
    Clock {
        /// The process.
        pid: u32,
        /// The system's answer.
        source: io::Error,
    },
    /// Another failure while reading.
    #[error("cannot read {}: {source}; is /proc mounted?", path.display())]
    Unreadable {
        /// What could not be read.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The content was not what Linux documents in proc(5).
    #[error(
        "{} holds {text:?}, which is not what proc(5) describes; please report this kernel",
        path.display()
    )]
    Malformed {
        /// What was read.
        path: PathBuf,
        /// The beginning of its content.
        text: String,
    },
    /// Nothing can be read on this system.
    #[error("CPU time cannot be read: {reason}")]
    Unavailable {
        /// Why, in words.
        reason: String,
    },
}
