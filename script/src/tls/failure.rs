//! Why there is no connection with TLS.

use std::io;

use rustls::{CertificateError, Error};

/// Why a handshake failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TlsError {
    /// Nobody whom we trust has signed the certificate.
    #[error("x509: certificate signed by unknown authority{}", detail(.lack.as_deref()))]
    UnknownAuthority {
        /// Why nobody is trusted, when that is so.
        lack: Option<String>,
    },
    /// An authority's certificate, which openssl makes of its own accord, where a server's has to be.
    #[error(
        "x509: certificate signed by unknown authority: it is an authority's (CA:TRUE), which no \
         server may show here; make one for servers, or use insecureSkipTLSVerify"
    )]
    AuthorityAsServer,
    /// The certificate is another host's.
    #[error("x509: certificate is not valid for {host}{}", but_for(.names))]
    HostName {
        /// Whom we wanted.
        host: String,
        /// For whom it is.
        names: Vec<String>,
    },
    /// The certificate is too old, or not yet valid.
    #[error("x509: certificate has expired or is not yet valid: {0}")]
    Expired(Error),
    /// What came is no TLS.
    #[error(
        "tls: first record does not look like a TLS handshake; use http, or an address that speaks \
         TLS"
    )]
    NoTls,
    /// The server has gone in the middle.
    #[error("EOF: the server closed the connection during the TLS handshake")]
    Closed,
    /// The socket failed.
    #[error("TLS handshake: {0}")]
    Io(io::Error),
    /// Everything else that is wrong with the handshake.
    #[error("tls: {0}")]
    Other(Error),
    /// A host that cannot be in a certificate.
    #[error("tls: {0:?} is no name that a certificate can have")]
    ServerName(String),
}

impl TlsError {
    /// Why the handshake with a host failed; `lack` says why nobody is trusted.
    pub(super) fn handshake(error: io::Error, host: &str, lack: Option<&str>) -> Self {
        let tls = error.get_ref().and_then(|inner| inner.downcast_ref());
        match tls {
            Some(tls) => Self::of(tls, host, lack),
            None if error.kind() == io::ErrorKind::UnexpectedEof => Self::Closed,
            None => Self::Io(error),
        }
    }

    fn of(error: &Error, host: &str, lack: Option<&str>) -> Self {
        match error {
            Error::InvalidCertificate(certificate) => match certificate {
                CertificateError::UnknownIssuer => Self::UnknownAuthority {
                    lack: lack.map(str::to_owned),
                },
                CertificateError::NotValidForNameContext { presented, .. } => Self::HostName {
                    host: host.to_owned(),
                    names: presented.clone(),
                },
                CertificateError::NotValidForName => Self::HostName {
                    host: host.to_owned(),
                    names: Vec::new(),
                },
                CertificateError::Expired
                | CertificateError::ExpiredContext { .. }
                | CertificateError::NotValidYet
                | CertificateError::NotValidYetContext { .. } => Self::Expired(error.clone()),
                CertificateError::Other(other) if is_authority(other) => Self::AuthorityAsServer,
                _ => Self::Other(error.clone()),
            },
            Error::InvalidMessage(_) => Self::NoTls,
            _ => Self::Other(error.clone()),
        }
    }
}

fn is_authority(error: &rustls::OtherError) -> bool {
    let webpki = error.0.downcast_ref::<webpki::Error>();
    matches!(webpki, Some(webpki::Error::CaUsedAsEndEntity))
}

fn detail(text: Option<&str>) -> String {
    text.map(|text| format!(": {text}")).unwrap_or_default()
}

fn but_for(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!(", but for {}", names.join(", ")),
    }
}
