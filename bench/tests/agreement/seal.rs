//! TLS in front of a server that speaks none, so that what is inside can be recorded.

use std::{
    fs,
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    sync::Arc,
};

use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio_rustls::TlsAcceptor;

use crate::recorder::Conversation;

/// A certificate with its key, and the one protocol that is agreed to.
#[derive(Clone)]
pub struct Seal(Arc<ServerConfig>);

/// The seals of the two ports, as the product's server has them.
pub struct Seals {
    pub http1: Seal,
    pub h2: Seal,
    /// The certificate, alone in its folder.
    pub certificate: PathBuf,
}

impl Seals {
    /// With a new certificate, which is left in `folder`.
    pub fn new(folder: &Path) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let certificate = folder.join("certificate.pem");
        fs::write(&certificate, made.cert.pem()).unwrap();
        let seal = |protocol: &[u8]| {
            let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
            let chain = vec![made.cert.der().clone()];
            let mut config =
                ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
                    .with_safe_default_protocol_versions()
                    .unwrap()
                    .with_no_client_auth()
                    .with_single_cert(chain, PrivateKeyDer::from(key))
                    .unwrap();
            config.alpn_protocols = vec![protocol.to_vec()];
            Seal(Arc::new(config))
        };
        Self {
            http1: seal(b"http/1.1"),
            h2: seal(b"h2"),
            certificate,
        }
    }
}

/// Hands on what is in the TLS of one connection, and gives what passed.
pub fn between(client: TcpStream, server: SocketAddr, seal: &Seal) -> Conversation {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        client.set_nonblocking(true).unwrap();
        let client = tokio::net::TcpStream::from_std(client).unwrap();
        let server = tokio::net::TcpStream::connect(server).await.unwrap();
        for stream in [&client, &server] {
            stream.set_nodelay(true).unwrap();
        }
        let acceptor = TlsAcceptor::from(Arc::clone(&seal.0));
        let client = acceptor.accept(client).await.unwrap();
        let (from_client, to_client) = tokio::io::split(client);
        let (from_server, to_server) = server.into_split();
        let (sent, received) =
            tokio::join!(copy(from_client, to_server), copy(from_server, to_client));
        Conversation { sent, received }
    })
}

/// Copies until one side has had enough, and gives what was read.
async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> Vec<u8> {
    let mut seen = Vec::new();
    let mut buffer = [0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut buffer).await {
        seen.extend_from_slice(&buffer[..count]);
        if to.write_all(&buffer[..count]).await.is_err() || to.flush().await.is_err() {
            break;
        }
    }
    // The other side may be gone already.
    let _ = to.shutdown().await;
    seen
}
