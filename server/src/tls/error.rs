//! Why the ports cannot be encrypted.

use std::{io, path::PathBuf};

use rustls::pki_types::pem;
use thiserror::Error;

/// What is wrong with certificate or key.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file was given and TLS is off.
    #[error("{flag} has no effect without TLS; add --tls on, or leave {flag} out")]
    Off {
        /// The flag.
        flag: &'static str,
    },
    /// A file cannot be read as what it should be.
    #[error("cannot read {} ({flag}): {source}; give a PEM file", path.display())]
    File {
        /// The flag that names it.
        flag: &'static str,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: pem::Error,
    },
    /// Certificate and key do not fit together, or are of a kind that is not understood.
    #[error(
        "the certificate cannot be used with its key: {0}; check --tls-cert and --tls-key, which must \
         belong together"
    )]
    Pair(rustls::Error),
    /// No certificate could be made.
    #[error("cannot make a certificate: {0}; give one with --tls-cert and --tls-key")]
    Make(rcgen::Error),
    /// The certificate cannot be written.
    #[error(
        "cannot write the certificate to {} (--tls-trust): {source}; name a file in a writable folder",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The server would have to call itself, which it does without encryption.
    #[error(
        "{flag} makes the server call its own ports, which it does without TLS; leave out {flag} or \
         --tls on"
    )]
    OwnCalls {
        /// The flag.
        flag: &'static str,
    },
}

impl TlsError {
    /// Whether the flags ask for something that no machine could do.
    pub(crate) fn is_usage(&self) -> bool {
        matches!(self, Self::Off { .. } | Self::OwnCalls { .. })
    }
}
