//! Servers with TLS, and what scripts see when their certificates are not as they should be.

mod authority;
mod odd;
mod server;

use std::{fs, sync::Arc};

use authority::{Authority, Signed};
use rustls::ServerConfig;
use server::{Manner, Server};
use tempfile::TempDir;

/// The servers and files that scripts with TLS need; they end with the value.
pub struct Tls {
    files: TempDir,
    servers: Vec<(&'static str, String, Server)>,
}

impl Tls {
    pub fn start() -> Self {
        let files = tempfile::tempdir().unwrap();
        let directory = files.path();
        let (authority, stranger) = (Authority::new("trusted"), Authority::new("unknown"));
        fs::write(directory.join("roots.pem"), authority.pem()).unwrap();
        fs::write(directory.join("stranger.pem"), stranger.pem()).unwrap();
        authority.sign("client").write(directory, "client");
        stranger.sign("client").write(directory, "other");
        let trusted = authority.sign("localhost");
        let secure = |config: ServerConfig, protocols: &[&str]| {
            let mut config = config;
            let protocols = protocols.iter();
            config.alpn_protocols = protocols.map(|name| name.as_bytes().to_vec()).collect();
            Server::start(Manner::Serves(Arc::new(config)))
        };
        let http2 = |config: ServerConfig| {
            let mut config = config;
            config.alpn_protocols = vec![b"h2".to_vec()];
            Arc::new(config)
        };
        let grpc = |config| Server::start(Manner::Grpc(http2(config)));
        let servers = [
            (
                "ODD_URL",
                Server::start(Manner::Odd(http2(trusted.server()))),
            ),
            ("HTTPS_URL", secure(trusted.server(), &[])),
            ("HTTPS2_URL", secure(trusted.server(), &["h2", "http/1.1"])),
            ("MUTUAL_URL", secure(authority.wanted_by(&trusted), &[])),
            (
                "UNKNOWN_URL",
                secure(stranger.sign("localhost").server(), &[]),
            ),
            (
                "SELF_SIGNED_URL",
                secure(Signed::by_itself("localhost").server(), &[]),
            ),
            (
                "EXPIRED_URL",
                secure(authority.sign_expired("localhost").server(), &[]),
            ),
            (
                "OTHER_NAME_URL",
                secure(authority.sign("elsewhere.test").server(), &[]),
            ),
            (
                "TOO_EARLY_URL",
                secure(authority.sign_too_early("localhost").server(), &[]),
            ),
            (
                "NEWER_URL",
                secure(trusted.server_of(&[&rustls::version::TLS13]), &[]),
            ),
            ("STRANGE_URL", secure(trusted.server(), &["strange"])),
            ("RESETTING_URL", Server::start(Manner::Resets)),
            ("GRPC_URL", grpc(trusted.server())),
            ("GRPC_MUTUAL_URL", grpc(authority.wanted_by(&trusted))),
            (
                "GRPC_UNKNOWN_URL",
                grpc(stranger.sign("localhost").server()),
            ),
            ("HANGING_URL", Server::start(Manner::Hangs)),
            ("BREAKING_URL", Server::start(Manner::Breaks)),
            ("PLAIN_URL", Server::start(Manner::Plain)),
        ];
        Self {
            files,
            servers: servers
                .into_iter()
                .map(|(name, server)| (name, server.url("localhost"), server))
                .collect(),
        }
    }

    /// Arguments that tell scripts of them.
    pub fn arguments(&self) -> Vec<String> {
        let files = self.files.path().display();
        let urls = self.servers.iter();
        urls.map(|(name, url, _)| format!("-e{name}={url}"))
            .chain([format!("-eTLS_FILES={files}")])
            .collect()
    }

    /// Variables of the system, by which the authority is trusted.
    pub fn variables(&self) -> Vec<(String, String)> {
        let roots = self.files.path().join("roots.pem");
        vec![("SSL_CERT_FILE".to_owned(), roots.display().to_string())]
    }
}
