//! The one certificate that clients of an encrypted server trust.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ClientConfig, RootCertStore,
    client::Resumption,
    crypto::ring,
    pki_types::{CertificateDer, ServerName, pem, pem::PemObject as _},
};
use thiserror::Error;

/// Trust in the certificate of one file and in nothing else. Sessions are not resumed: each connection
/// makes a whole handshake, so that `connection=new` means the same in every operation.
#[derive(Clone, Debug)]
pub struct Trust {
    config: Arc<ClientConfig>,
}

/// Why a certificate cannot be trusted.
#[derive(Debug, Error)]
pub enum TrustError {
    /// The file cannot be read as a certificate.
    #[error("cannot read a certificate from {}: {source}; name the PEM file of the server's", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: pem::Error,
    },
    /// The certificate is not one that can be trusted.
    #[error("the certificate in {} cannot be trusted: {source}", path.display())]
    Root {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: rustls::Error,
    },
}

impl Trust {
    /// Trust in the first certificate of a PEM file.
    ///
    /// # Errors
    /// There is none.
    pub fn read(path: &Path) -> Result<Self, TrustError> {
        let certificate =
            CertificateDer::from_pem_file(path).map_err(|source| TrustError::File {
                path: path.to_owned(),
                source,
            })?;
        Self::new(certificate).map_err(|source| TrustError::Root {
            path: path.to_owned(),
            source,
        })
    }

    fn new(certificate: CertificateDer<'static>) -> Result<Self, rustls::Error> {
        let mut roots = RootCertStore::empty();
        roots.add(certificate)?;
        // Named, because a library beside this one may bring another provider of cryptography.
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.resumption = Resumption::disabled();
        Ok(Self {
            config: Arc::new(config),
        })
    }

    /// How a client that speaks `protocol` (as ALPN names it) shakes hands.
    #[must_use]
    pub fn speaking(&self, protocol: &[u8]) -> Arc<ClientConfig> {
        let mut config = ClientConfig::clone(&self.config);
        config.alpn_protocols = vec![protocol.to_vec()];
        Arc::new(config)
    }
}

/// The name in `host:port` or `host` that the server's certificate must have.
///
/// # Errors
/// It is neither a host name nor an address.
pub fn name_in(authority: &str) -> io::Result<ServerName<'static>> {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.parse::<u16>().is_ok() => host,
        _ => authority,
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    ServerName::try_from(host.to_owned()).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_name_is_the_host_without_its_port() {
        for (authority, name) in [
            ("127.0.0.1:5300", "127.0.0.1"),
            ("[::1]:5300", "::1"),
            ("localhost:5300", "localhost"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(name_in(authority).unwrap().to_str(), name);
        }
        assert!(name_in("no host:1").is_err());
    }

    #[test]
    fn what_is_no_certificate_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Trust::read(file.path()).unwrap_err().to_string();
        assert!(error.contains(file.path().to_str().unwrap()), "{error}");
        std::fs::write(
            file.path(),
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        )
        .unwrap();
        let error = Trust::read(file.path()).unwrap_err();
        assert!(matches!(error, TrustError::Root { .. }), "{error}");
    }
}
