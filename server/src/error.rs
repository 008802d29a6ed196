//! Why the server cannot start, or stopped early.

use std::{io, net::SocketAddr};

use thiserror::Error;

use crate::{expenses::DatabaseError, tls::TlsError};

/// A failure of the server as a whole; requests have their own errors.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Both ports are the same.
    #[error("port {port} was given for both HTTP/1.1 and h2c; change --http-port or --h2c-port")]
    SamePort {
        /// The port.
        port: u16,
    },
    /// Another program listens there.
    #[error(
        "port {} on {} is taken; stop the program that uses it, or choose another with {flag} \
         (0 picks a free one)",
        address.port(),
        address.ip()
    )]
    PortTaken {
        /// Where the server wanted to listen.
        address: SocketAddr,
        /// The flag that changes the port.
        flag: &'static str,
    },
    /// The system does not allow the port.
    #[error("this user may not listen on port {}; choose one from 1024 on with {flag}", address.port())]
    PortForbidden {
        /// Where the server wanted to listen.
        address: SocketAddr,
        /// The flag that changes the port.
        flag: &'static str,
    },
    /// The machine does not have the address.
    #[error("{} is not an address of this machine; choose another with --bind", address.ip())]
    NotOurAddress {
        /// Where the server wanted to listen.
        address: SocketAddr,
    },
    /// Any other failure to listen.
    #[error("cannot listen on {address}: {source}; change --bind or {flag}")]
    Listen {
        /// Where the server wanted to listen.
        address: SocketAddr,
        /// The flag that changes the port.
        flag: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The worker threads could not be started.
    #[error("cannot start {workers} worker threads: {source}; ask for fewer with --workers")]
    Workers {
        /// Threads asked for.
        workers: usize,
        /// What the system said.
        source: io::Error,
    },
    /// Termination signals cannot be caught.
    #[error("cannot catch termination signals: {0}")]
    Signals(io::Error),
    /// The addresses could not be printed.
    #[error("cannot print the addresses to standard output: {0}; is it closed?")]
    Announce(io::Error),
    /// The expenses cannot be served.
    #[error(transparent)]
    Expenses(#[from] DatabaseError),
    /// The ports cannot be encrypted.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// A second signal came while requests in flight were finishing.
    #[error("stopped by a second signal; requests in flight were cut off")]
    CutOff,
}

impl ServeError {
    /// Whether the flags ask for something that no machine could do.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Tls(error) => error.is_usage(),
            _ => matches!(self, Self::SamePort { .. }),
        }
    }

    /// Sorts a failed bind by what its caller can do about it.
    pub(crate) fn listen(address: SocketAddr, flag: &'static str, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Self::PortTaken { address, flag },
            io::ErrorKind::PermissionDenied => Self::PortForbidden { address, flag },
            io::ErrorKind::AddrNotAvailable => Self::NotOurAddress { address },
            _ => Self::Listen {
                address,
                flag,
                source,
            },
        }
    }
}
