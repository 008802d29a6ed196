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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn a_certificate_is_for_its_domains_alone() {
        let made = rcgen::generate_simple_self_signed(["x".to_owned()]).unwrap();
        let identity =
            Identity::from_pem(&made.cert.pem(), &made.signing_key.serialize_pem()).unwrap();
        let auth = |domains: &[&str]| ClientAuth {
            domains: domains.iter().map(|&domain| domain.to_owned()).collect(),
            identity: identity.clone(),
        };
        let settings = TlsSettings {
            auth: vec![
                auth(&["a.test", "*.b.test"]),
                auth(&["*.test", "*bad.org"]),
                auth(&["c.org"]),
            ],
            ..TlsSettings::default()
        };
        for (host, place) in [
            ("A.test", Some(0)),
            ("x.B.test", Some(0)),
            ("b.test", Some(1)),
            ("c.org", Some(2)),
            ("x.c.org", None),
            ("bad.org", None),
            (".test", None),
        ] {
            assert_eq!(settings.auth_for(host), place, "{host}");
        }
        let for_all = TlsSettings {
            auth: vec![auth(&[])],
            ..TlsSettings::default()
        };
        assert_eq!(for_all.auth_for("any.test"), Some(0));
    }
}
