//! Who the server says it is: a certificate with its key.

use std::{fs, path::Path};

use rcgen::{CertificateParams, DnType, KeyPair};
use rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer,
    pem::{self, PemObject as _},
};

use super::{TlsConfig, TlsError};

/// The names by which a server on this machine is called.
const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// A certificate, those above it, and its key.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

impl Identity {
    /// The one that was given, or a new one.
    pub(super) fn of(config: &TlsConfig) -> Result<Self, TlsError> {
        match (&config.tls_cert, &config.tls_key) {
            (Some(cert), Some(key)) => Self::read(cert, key),
            _ => Self::make(config.tls_trust.as_deref()),
        }
    }

    fn read(cert: &Path, key: &Path) -> Result<Self, TlsError> {
        let cannot = |flag, path: &Path, source| TlsError::File {
            flag,
            path: path.to_owned(),
            source,
        };
        let chain = CertificateDer::pem_file_iter(cert)
            .and_then(Iterator::collect::<Result<Vec<_>, _>>)
            .and_then(|chain| match &*chain {
                [] => Err(pem::Error::NoItemsFound),
                _ => Ok(chain),
            });
        Ok(Self {
            chain: chain.map_err(|error| cannot("--tls-cert", cert, error))?,
            key: PrivateKeyDer::from_pem_file(key)
                .map_err(|error| cannot("--tls-key", key, error))?,
        })
    }

    /// Signed by itself, with an ECDSA key over P-256 that is nowhere but in memory.
    fn make(trust: Option<&Path>) -> Result<Self, TlsError> {
        let mut params =
            CertificateParams::new(NAMES.map(str::to_owned)).map_err(TlsError::Make)?;
        params
            .distinguished_name
            .push(DnType::CommonName, "bookstore-bench");
        let key = KeyPair::generate().map_err(TlsError::Make)?;
        let certificate = params.self_signed(&key).map_err(TlsError::Make)?;
        if let Some(path) = trust {
            fs::write(path, certificate.pem()).map_err(|source| TlsError::Write {
                path: path.to_owned(),
                source,
            })?;
        }
        Ok(Self {
            chain: vec![certificate.der().clone()],
            key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
        })
    }
}
