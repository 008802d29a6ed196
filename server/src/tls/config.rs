//! How both ports are encrypted, if they are.

use std::path::PathBuf;

use clap::Args;

use super::{Acceptors, TlsError};
use crate::setting::Switch;

/// Whether both ports speak TLS, and as whom.
#[derive(Args, Clone, Debug)]
pub struct TlsConfig {
    /// Whether both ports speak TLS, 1.3 or 1.2: HTTP/1.1 on the one and HTTP/2 on the other, as ALPN
    /// agrees. Without --tls-cert by a certificate that the server makes for itself at each start.
    #[arg(
        long,
        value_name = "SWITCH",
        env = "BOOKSTORE_TLS",
        value_enum,
        hide_short_help = true
    )]
    #[arg(default_value_t = Switch::Off, help_heading = "Encryption")]
    pub tls: Switch,

    /// The file with the certificate and those above it, as PEM; for --tls on.
    #[arg(long, value_name = "FILE", env = "BOOKSTORE_TLS_CERT")]
    #[arg(
        help_heading = "Encryption",
        hide_short_help = true,
        requires = "tls_key"
    )]
    pub tls_cert: Option<PathBuf>,

    /// The file with the private key of --tls-cert, as PEM.
    #[arg(long, value_name = "FILE", env = "BOOKSTORE_TLS_KEY")]
    #[arg(
        help_heading = "Encryption",
        hide_short_help = true,
        requires = "tls_cert"
    )]
    pub tls_key: Option<PathBuf>,

    /// Where to write the certificate that the server makes for itself, as PEM, for clients to trust.
    #[arg(long, value_name = "FILE", env = "BOOKSTORE_TLS_TRUST")]
    #[arg(
        help_heading = "Encryption",
        hide_short_help = true,
        conflicts_with = "tls_cert"
    )]
    pub tls_trust: Option<PathBuf>,
}

impl TlsConfig {
    /// What accepts encrypted connections; `None` where they are plain. Writes the certificate that it
    /// makes where clients shall find it.
    ///
    /// # Errors
    /// A file cannot be used, or one was given and TLS is off.
    pub(crate) fn acceptors(&self) -> Result<Option<Acceptors>, TlsError> {
        if self.tls.is_on() {
            return Acceptors::new(self).map(Some);
        }
        let unused = [
            ("--tls-cert", &self.tls_cert),
            ("--tls-trust", &self.tls_trust),
        ];
        match unused.into_iter().find(|(_, file)| file.is_some()) {
            Some((flag, _)) => Err(TlsError::Off { flag }),
            None => Ok(None),
        }
    }
}
