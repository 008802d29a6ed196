//! Cipher suites by the names that Go, and with it k6, gives them
//! (<https://pkg.go.dev/crypto/tls#pkg-constants>).

use rustls::{
    CipherSuite, SupportedCipherSuite,
    crypto::{CryptoProvider, ring},
};

/// All that there are.
const ALL: [(&str, CipherSuite); 9] = [
    (
        "TLS_AES_128_GCM_SHA256",
        CipherSuite::TLS13_AES_128_GCM_SHA256,
    ),
    (
        "TLS_AES_256_GCM_SHA384",
        CipherSuite::TLS13_AES_256_GCM_SHA384,
    ),
    (
        "TLS_CHACHA20_POLY1305_SHA256",
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
    ),
    (
        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
    ),
    (
        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
        CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
    ),
    (
        "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
        CipherSuite::TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    ),
    (
        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
    ),
    (
        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
        CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
    ),
    (
        "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
        CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ),
];

/// For messages: what may be given.
pub(crate) const NAMES: &str = "suites that this runner has, which are those of TLS 1.3 and \
    TLS_ECDHE_ECDSA_WITH_… or TLS_ECDHE_RSA_WITH_… followed by AES_128_GCM_SHA256, \
    AES_256_GCM_SHA384 or CHACHA20_POLY1305_SHA256, or run the script with k6";

/// The suites of TLS 1.2 that may be agreed on. Those of TLS 1.3 always may, as in Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CipherSuites(Vec<CipherSuite>);

impl CipherSuites {
    /// The suites of a list of names.
    ///
    /// # Errors
    /// The first name that is none of a suite here.
    pub(crate) fn named(names: &[String]) -> Result<Self, String> {
        let suites = names.iter().map(|name| {
            let known = ALL.iter().find(|(known, _)| known == name);
            known.map(|(_, suite)| *suite).ok_or_else(|| name.clone())
        });
        suites.collect::<Result<_, _>>().map(Self)
    }

    fn allow(&self, suite: &SupportedCipherSuite) -> bool {
        suite.tls13().is_some() || self.0.contains(&suite.suite())
    }
}

/// Cryptography with these suites alone; all without them.
pub(super) fn provider(suites: Option<&CipherSuites>) -> CryptoProvider {
    let mut provider = ring::default_provider();
    if let Some(suites) = suites {
        provider.cipher_suites.retain(|suite| suites.allow(suite));
    }
    provider
}

/// Go's name of a suite.
pub(super) fn name_of(suite: CipherSuite) -> &'static str {
    let known = ALL.iter().find(|(_, known)| *known == suite);
    known.map_or("", |(name, _)| name)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn every_suite_of_the_provider_has_a_name() {
        let provider = provider(None);
        assert_eq!(provider.cipher_suites.len(), ALL.len());
        for suite in provider.cipher_suites {
            assert_ne!(name_of(suite.suite()), "", "{suite:?}");
        }
    }

    #[test]
    fn a_list_limits_tls_1_2_alone() {
        let names = ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256".to_owned()];
        let suites = CipherSuites::named(&names).unwrap();
        assert_eq!(provider(Some(&suites)).cipher_suites.len(), 4);
        let unknown = ["TLS_RSA_WITH_RC4_128_SHA".to_owned()];
        assert_eq!(CipherSuites::named(&unknown).unwrap_err(), unknown[0]);
    }
}
