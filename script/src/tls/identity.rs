//! A certificate that we show to servers, with its key.

use std::sync::Arc;

use rustls::{
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    sign::CertifiedKey,
};

/// A certificate, those that it was signed with, and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: Arc<PrivateKeyDer<'static>>,
}

/// Why a certificate and a key cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum IdentityError {
    #[error("cert has no certificate in PEM ({0}); give the text of a file with BEGIN CERTIFICATE")]
    Certificate(String),
    #[error("key has no private key in PEM ({0}); give the text of a file with BEGIN PRIVATE KEY")]
    Key(String),
    #[error(
        "key is encrypted, which is not built into this runner; decrypt it, for example with \
         openssl pkey, or run the script with k6"
    )]
    Encrypted,
    #[error("cert and key cannot be used together: {0}")]
    Pair(String),
}

impl Identity {
    /// Reads the texts of two PEM files.
    pub(crate) fn from_pem(cert: &str, key: &str) -> Result<Self, IdentityError> {
        let chain = certificates(cert).map_err(IdentityError::Certificate)?;
        if key.contains("ENCRYPTED PRIVATE KEY") || key.contains(",ENCRYPTED") {
            return Err(IdentityError::Encrypted);
        }
        let key = PrivateKeyDer::from_pem_slice(key.as_bytes())
            .map_err(|error| IdentityError::Key(error.to_string()))?;
        CertifiedKey::from_der(chain.clone(), key.clone_key(), &ring::default_provider())
            .map_err(|error| IdentityError::Pair(error.to_string()))?;
        Ok(Self {
            chain,
            key: Arc::new(key),
        })
    }
}

/// The certificates of a PEM text; at least one.
///
/// # Errors
/// What is wrong with the text.
pub(super) fn certificates(pem: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
    match read {
        Ok(certificates) if certificates.is_empty() => Err("it is empty of them".to_owned()),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(error.to_string()),
    }
}
