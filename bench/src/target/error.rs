//! What can go wrong with the server under test, in words.

use std::{io, path::PathBuf, process::ExitStatus, time::Duration};

use crate::{
    child::{ChildError, LastLines},
    place::PlaceError,
    trust::TrustError,
};

/// Why the server cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The process could not be started or waited for.
    #[error("the server cannot be run: {0}")]
    Child(#[from] ChildError),
    /// It cannot be put on its CPUs.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// A fixed port is taken.
    #[error(
        "port {port} is in use on 127.0.0.1: stop the program that listens there (`ss -ltnp` names \
         it), or choose another port"
    )]
    PortInUse {
        /// The port.
        port: u16,
    },
    /// A fixed port cannot be had for another reason.
    #[error("cannot listen on port {port} of 127.0.0.1: {source}; choose another port")]
    Port {
        /// The port.
        port: u16,
        /// The system's answer.
        source: io::Error,
    },
    /// The server's output cannot be read.
    #[error("cannot read what the server prints: {0}; end some programs and try again")]
    Output(io::Error),
    /// The server did not say where it listens.
    #[error(
        "the server did not say within {} s where it listens; its last messages:{stderr}\n\
         Try `{} serve` by hand, and give a slow machine more time",
        timeout.as_secs_f64(),
        program.display()
    )]
    NotReady {
        /// The executable.
        program: PathBuf,
        /// How long it had.
        timeout: Duration,
        /// Its last messages.
        stderr: LastLines,
    },
    /// The server said something else than where it listens.
    #[error(
        "the server printed {line:?} where `listening on {scheme}://ADDRESS ({protocol}…` was expected; \
         is {} the bookstore-bench of this version?",
        program.display()
    )]
    UnexpectedOutput {
        /// The executable.
        program: PathBuf,
        /// What it printed.
        line: String,
        /// The scheme that was expected.
        scheme: &'static str,
        /// The protocol whose address was expected.
        protocol: &'static str,
    },
    /// The server process ended although nobody asked it to.
    #[error(
        "the server (process {pid}) died, {status}; its last messages:{stderr}\n\
         Runs up to here are kept; remove the cause and measure again"
    )]
    Died {
        /// The process.
        pid: u32,
        /// Exit code or signal.
        status: ExitStatus,
        /// Its last messages.
        stderr: LastLines,
    },
    /// Its certificate cannot be trusted.
    #[error("the server's certificate: {0}")]
    Trust(#[from] TrustError),
    /// Nobody answers at the address.
    #[error(
        "no answer from {site}/about: {source}; is the server running, and is this its \
         HTTP/1.1 port?"
    )]
    NoAnswer {
        /// Scheme and address of the HTTP/1.1 port.
        site: String,
        /// The system's answer.
        source: io::Error,
    },
    /// The server does not do what one with expenses does.
    #[error(
        "{site}{path} gave no answer that can be used: {reason}; does the server run with \
         --expenses, and is this its HTTP/1.1 port?"
    )]
    Household {
        /// Scheme and address of the HTTP/1.1 port.
        site: String,
        /// What was asked for.
        path: &'static str,
        /// What is wrong with the answer.
        reason: String,
    },
    /// The answer is not the description of a Bookstore server.
    #[error(
        "{site}/about answered {found:?}, which does not describe a Bookstore server \
         ({reason}); is another program listening there?"
    )]
    NotABookstore {
        /// Scheme and address of the HTTP/1.1 port.
        site: String,
        /// The beginning of the answer.
        found: String,
        /// What is wrong with it.
        reason: String,
    },
}
