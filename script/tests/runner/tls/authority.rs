//! Certificates, made for one test run.

use std::{fs, path::Path, sync::Arc};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd,
};
use rustls::{
    RootCertStore, ServerConfig, SupportedProtocolVersion,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject},
    server::WebPkiClientVerifier,
};

/// Who signs certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate and its key, in PEM.
pub struct Signed {
    pub cert: String,
    pub key: String,
}

impl Authority {
    pub fn new(name: &str) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.distinguished_name.push(DnType::CommonName, name);
        let key = KeyPair::generate().unwrap();
        Self(CertifiedIssuer::self_signed(params, key).unwrap())
    }

    /// Its own certificate, in PEM.
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for a name.
    pub fn sign(&self, name: &str) -> Signed {
        self.signed(&CertificateParams::new([name.to_owned()]).unwrap())
    }

    /// One that was valid once.
    pub fn sign_expired(&self, name: &str) -> Signed {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(2002, 1, 1);
        self.signed(&params)
    }

    /// One that will be valid once.
    pub fn sign_too_early(&self, name: &str) -> Signed {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(4000, 1, 1);
        params.not_after = date_time_ymd(4001, 1, 1);
        self.signed(&params)
    }

    fn signed(&self, params: &CertificateParams) -> Signed {
        let key = KeyPair::generate().unwrap();
        Signed {
            cert: params.signed_by(&key, &self.0).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// A server that wants certificates of this authority from its clients.
    pub fn wanted_by(&self, signed: &Signed) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        let own = CertificateDer::from_pem_slice(self.pem().as_bytes()).unwrap();
        roots.add(own).unwrap();
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider());
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_client_cert_verifier(verifier.build().unwrap());
        builder
            .with_single_cert(signed.chain(), signed.key())
            .unwrap()
    }
}

impl Signed {
    /// A certificate that nobody but itself has signed, as openssl makes them.
    pub fn by_itself(name: &str) -> Self {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        Self {
            cert: params.self_signed(&key).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// A server that shows it.
    pub fn server(&self) -> ServerConfig {
        self.server_of(rustls::DEFAULT_VERSIONS)
    }

    /// A server that shows it in these versions of TLS.
    pub fn server_of(&self, versions: &[&'static SupportedProtocolVersion]) -> ServerConfig {
        ServerConfig::builder_with_provider(provider())
            .with_protocol_versions(versions)
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(self.chain(), self.key())
            .unwrap()
    }

    /// Writes `NAME.pem` and `NAME-key.pem`.
    pub fn write(&self, directory: &Path, name: &str) {
        fs::write(directory.join(format!("{name}.pem")), &self.cert).unwrap();
        fs::write(directory.join(format!("{name}-key.pem")), &self.key).unwrap();
    }

    fn chain(&self) -> Vec<CertificateDer<'static>> {
        vec![CertificateDer::from_pem_slice(self.cert.as_bytes()).unwrap()]
    }

    fn key(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::from_pem_slice(self.key.as_bytes()).unwrap()
    }
}

fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}
