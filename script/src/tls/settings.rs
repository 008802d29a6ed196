//! What the options of a test say about TLS.

use std::sync::Arc;

use rustls::{
    ClientConfig, ConfigBuilder, RootCertStore, client::Resumption, client::WantsClientCert,
};

use super::{
    cipher_suite::{CipherSuites, provider},
    identity::Identity,
    roots::RootSource,
    verifier::AnyServer,
    version::TlsVersions,
};

/// The options `insecureSkipTLSVerify`, `tlsVersion`, `tlsCipherSuites` and `tlsAuth`, and where the
/// trusted certificates are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TlsSettings {
    pub(crate) skips_verification: bool,
    pub(crate) versions: TlsVersions,
    pub(crate) cipher_suites: Option<CipherSuites>,
    pub(crate) auth: Vec<ClientAuth>,
    pub(crate) roots: RootSource,
}

/// A certificate for some domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientAuth {
    /// Names, or `*.` and a name for all below it; none for every server.
    pub(crate) domains: Vec<String>,
    pub(crate) identity: Identity,
}

impl ClientAuth {
    fn is_for(&self, host: &str) -> bool {
        let matches = |domain: &String| {
            host.eq_ignore_ascii_case(domain)
                || domain.strip_prefix('*').is_some_and(|suffix| {
                    let host = host.to_ascii_lowercase();
                    let above = host.strip_suffix(&suffix.to_ascii_lowercase());
                    suffix.starts_with('.') && above.is_some_and(|name| !name.is_empty())
                })
        };
        self.domains.is_empty() || self.domains.iter().any(matches)
    }
}

impl TlsSettings {
    /// The place in the list of the certificate for a host.
    pub(super) fn auth_for(&self, host: &str) -> Option<usize> {
        self.auth.iter().position(|auth| auth.is_for(host))
    }

    /// Whether there is anything to agree on with a server.
    ///
    /// # Errors
    /// Why there is not.
    pub(crate) fn check(&self) -> Result<(), rustls::Error> {
        self.begin(Arc::new(RootCertStore::empty())).map(drop)
    }

    /// What a client offers.
    pub(super) fn client(
        &self,
        roots: Arc<RootCertStore>,
        identity: Option<&Identity>,
        alpn: &[&[u8]],
    ) -> Result<ClientConfig, rustls::Error> {
        let builder = self.begin(roots)?;
        let mut config = match identity {
            Some(Identity { chain, key }) => {
                builder.with_client_auth_cert(chain.clone(), key.clone_key())?
            }
            None => builder.with_no_client_auth(),
        };
        config.alpn_protocols = alpn.iter().map(|protocol| protocol.to_vec()).collect();
        // Go resumes no session unless it is told to, and k6 does not tell it.
        config.resumption = Resumption::disabled();
        Ok(config)
    }

    fn begin(
        &self,
        roots: Arc<RootCertStore>,
    ) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, rustls::Error> {
        let provider = Arc::new(provider(self.cipher_suites.as_ref()));
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&self.versions.available())?;
        Ok(if self.skips_verification {
            builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyServer::new(&provider)))
        } else {
            builder.with_root_certificates(roots)
        })
    }
}
