//! Versions of TLS by the names that k6 gives them
//! (<https://grafana.com/docs/k6/latest/using-k6/protocols/ssl-tls/ssl-tls-version-and-ciphers/>).

use rustls::{ProtocolVersion, SupportedProtocolVersion, version};

/// A version, from the oldest on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TlsVersion {
    Ssl3,
    Tls10,
    Tls11,
    Tls12,
    Tls13,
}

impl TlsVersion {
    pub(crate) const ALL: [Self; 5] = [
        Self::Ssl3,
        Self::Tls10,
        Self::Tls11,
        Self::Tls12,
        Self::Tls13,
    ];

    /// Its name in options, tags and answers.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ssl3 => "ssl3.0",
            Self::Tls10 => "tls1.0",
            Self::Tls11 => "tls1.1",
            Self::Tls12 => "tls1.2",
            Self::Tls13 => "tls1.3",
        }
    }

    /// The name of its constant in `k6/http`.
    pub(crate) fn constant(self) -> &'static str {
        match self {
            Self::Ssl3 => "SSL_3_0",
            Self::Tls10 => "TLS_1_0",
            Self::Tls11 => "TLS_1_1",
            Self::Tls12 => "TLS_1_2",
            Self::Tls13 => "TLS_1_3",
        }
    }

    /// The version of a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|version| version.name() == name)
    }

    /// The name of a version that was agreed on.
    pub(super) fn name_of(version: Option<ProtocolVersion>) -> &'static str {
        match version {
            Some(ProtocolVersion::TLSv1_2) => Self::Tls12.name(),
            Some(ProtocolVersion::TLSv1_3) => Self::Tls13.name(),
            _ => "",
        }
    }
}

/// The versions that may be agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TlsVersions {
    /// The oldest.
    pub(crate) min: TlsVersion,
    /// The newest.
    pub(crate) max: TlsVersion,
}

impl Default for TlsVersions {
    fn default() -> Self {
        Self {
            min: TlsVersion::Tls12,
            max: TlsVersion::Tls13,
        }
    }
}

impl TlsVersions {
    /// Those of them that there are; versions before 1.2 are not.
    pub(crate) fn available(self) -> Vec<&'static SupportedProtocolVersion> {
        [
            (TlsVersion::Tls13, &version::TLS13),
            (TlsVersion::Tls12, &version::TLS12),
        ]
        .into_iter()
        .filter(|(version, _)| (self.min..=self.max).contains(version))
        .map(|(_, supported)| supported)
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_versions_have_names_and_are_not_available() {
        assert_eq!(TlsVersion::named("tls1.1"), Some(TlsVersion::Tls11));
        assert_eq!(TlsVersion::named("tls1.4"), None);
        let range = |min, max| TlsVersions { min, max }.available().len();
        assert_eq!(range(TlsVersion::Ssl3, TlsVersion::Tls11), 0);
        assert_eq!(range(TlsVersion::Ssl3, TlsVersion::Tls12), 1);
        assert_eq!(range(TlsVersion::Tls13, TlsVersion::Tls13), 1);
        assert_eq!(TlsVersions::default().available().len(), 2);
    }
}
