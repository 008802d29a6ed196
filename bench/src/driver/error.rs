//! Why load cannot be driven, in words.

use std::{io, path::PathBuf, time::Duration};

use thiserror::Error;

use crate::record::LOAD_CONTRACT;

/// Why there is no load, or no summary of it.
#[derive(Debug, Error)]
pub enum DriverError {
    /// Our own path cannot be found.
    #[error("cannot find the path of this executable, which drives the load: {0}")]
    OwnPath(io::Error),
    /// There is no k6.
    #[error(
        "cannot run {program:?}: {source}; install k6 2.0 or newer, say where it is with --k6, or \
         measure with --driver script, which needs none"
    )]
    NoK6 {
        /// The executable.
        program: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The executable is something else.
    #[error(
        "{program:?} answers `version` with {answer:?}, which is not how k6 does; say where k6 is \
         with --k6, or measure with --driver script, which needs none"
    )]
    NotK6 {
        /// The executable.
        program: PathBuf,
        /// What it printed.
        answer: String,
    },
    /// The executable says nothing.
    #[error(
        "{program:?} did not answer `version` within {patience:?}, which k6 does at once; say where k6 \
         is with --k6, or measure with --driver script, which needs none"
    )]
    MuteK6 {
        /// The executable.
        program: PathBuf,
        /// How long it was waited for.
        patience: Duration,
    },
    /// k6 is too old.
    #[error("{program:?} is k6 {version}, and the scripts need 2.0 or newer; update it")]
    OldK6 {
        /// The executable.
        program: PathBuf,
        /// Its version.
        version: String,
    },
    /// k6 cannot be told to trust the server.
    #[error(
        "k6 cannot be told on this system to trust the server of {row}; measure the rows with tls=on with \
         driver=script or driver=load, or on Linux"
    )]
    NoTrust {
        /// The row.
        row: String,
    },
    /// A script is missing.
    #[error(
        "there is no script {}; bring it back, or start bookstore-bench in another folder, where the \
         scripts built into it are used", .0.display()
    )]
    NoScript(PathBuf),
    /// The built-in scripts cannot be written.
    #[error(
        "cannot write the built-in scripts to {}: {source}; free some space there, or set TMPDIR to \
         another folder", folder.display()
    )]
    Unpack {
        /// Where they belong.
        folder: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// The load process left no summary.
    #[error(
        "{program} wrote no load summary to {path}: {source}; it must write one to the file that \
         BENCH_SUMMARY names"
    )]
    NoSummary {
        /// The executable.
        program: String,
        /// The file expected.
        path: String,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// The summary is that of another engine.
    #[error(
        "{program} wrote a load summary of the engine {found:?}, and {expected:?} was asked for; \
         figures of different engines are never mixed"
    )]
    OtherEngine {
        /// The executable.
        program: String,
        /// The engine that the summary names.
        found: String,
        /// The engine that was to drive the load.
        expected: &'static str,
    },
    /// The load summary cannot be read.
    #[error(
        "{program} wrote a load summary that does not follow the contract {LOAD_CONTRACT}: {reason}"
    )]
    Contract {
        /// The executable.
        program: String,
        /// What is wrong.
        reason: String,
    },
}
