//! Certificates of one connection's own.

use std::{fmt, sync::Arc};

use super::{
    failure::TlsError,
    identity::{Identity, IdentityError, certificates},
    roots::Roots,
};

/// Certificates in PEM, beside those of the options or in place of them.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct OwnTls {
    /// What is shown to the server.
    pub(crate) cert: Option<String>,
    /// Its key.
    pub(crate) key: Option<String>,
    /// Whom to trust as well.
    pub(crate) roots: Vec<String>,
}

impl fmt::Debug for OwnTls {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OwnTls")
            .field("cert", &self.cert)
            .field("roots", &self.roots)
            .finish_non_exhaustive()
    }
}

/// Why a connection cannot have certificates of its own.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OwnError {
    #[error("cacerts cannot be used ({0}); give the text of PEM files with BEGIN CERTIFICATE")]
    Roots(String),
    #[error(transparent)]
    Identity(#[from] IdentityError),
    #[error(transparent)]
    Tls(#[from] TlsError),
}

impl OwnTls {
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn identity(&self) -> Result<Option<Identity>, OwnError> {
        if self.cert.is_none() && self.key.is_none() {
            return Ok(None);
        }
        let text = |pem: &Option<String>| pem.clone().unwrap_or_default();
        let identity = Identity::from_pem(&text(&self.cert), &text(&self.key))?;
        Ok(Some(identity))
    }

    /// Those whom everybody trusts, and our own.
    pub(super) fn roots(&self, known: Arc<Roots>) -> Result<Arc<Roots>, OwnError> {
        if self.roots.is_empty() {
            return Ok(known);
        }
        let mut store = (*known.store).clone();
        for pem in &self.roots {
            let certificates = certificates(pem).map_err(OwnError::Roots)?;
            certificates
                .into_iter()
                .try_for_each(|certificate| store.add(certificate))
                .map_err(|error| OwnError::Roots(error.to_string()))?;
        }
        Ok(Arc::new(Roots {
            store: Arc::new(store),
            lack: None,
        }))
    }
}
