//! Whom we trust.

use std::{path::PathBuf, sync::Arc};

use rustls::RootCertStore;
use rustls_native_certs::{CertificateResult, load_certs_from_paths, load_native_certs};

/// Where trusted certificates come from: the system, unless the variables `SSL_CERT_FILE` and
/// `SSL_CERT_DIR` say otherwise, as for Go (<https://pkg.go.dev/crypto/x509#SystemCertPool>).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RootSource {
    pub(crate) file: Option<PathBuf>,
    pub(crate) directory: Option<PathBuf>,
}

/// Trusted certificates.
#[derive(Debug)]
pub(super) struct Roots {
    pub(super) store: Arc<RootCertStore>,
    /// Why there are none, when there are none.
    pub(super) lack: Option<String>,
}

impl RootSource {
    /// Reads the certificates; those that cannot be understood are passed over, as Go does.
    pub(super) fn load(&self) -> Roots {
        let CertificateResult { certs, errors, .. } = if *self == Self::default() {
            load_native_certs()
        } else {
            load_certs_from_paths(self.file.as_deref(), self.directory.as_deref())
        };
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(certs);
        let lack = store.is_empty().then(|| {
            let why = errors.first().map(|error| format!(" ({error})"));
            format!(
                "no trusted certificates were found{}; install those of the system, or name a PEM \
                 file in SSL_CERT_FILE",
                why.unwrap_or_default()
            )
        });
        Roots {
            store: Arc::new(store),
            lack,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_not_there_is_told() {
        let roots = RootSource {
            file: Some("/nowhere/roots.pem".into()),
            directory: None,
        };
        let roots = roots.load();
        assert!(roots.store.is_empty());
        let lack = roots.lack.unwrap_or_default();
        assert!(lack.contains("/nowhere/roots.pem"), "{lack}");
    }
}
