//! The handshake of every connection.

use std::{fmt, io, sync::Arc, time::Duration};

use rustls::{ServerConfig, crypto::ring};
use tokio::{net::TcpStream, time::timeout};
use tokio_rustls::{TlsAcceptor, server::TlsStream};

use super::{TlsConfig, TlsError, identity::Identity};
use crate::http1_connection::Seat;

/// How long a client may take for its handshake, which is a few messages and the same for all.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// What accepts encrypted connections, for each port.
#[derive(Debug)]
pub struct Acceptors {
    /// For HTTP/1.1.
    pub http1: Handshakes,
    /// For HTTP/2.
    pub http2: Handshakes,
}

/// Makes the handshakes of one port.
#[derive(Clone)]
pub struct Handshakes(TlsAcceptor);

impl Acceptors {
    pub(super) fn new(config: &TlsConfig) -> Result<Self, TlsError> {
        let Identity { chain, key } = Identity::of(config)?;
        // Named, because a library beside this one may bring another provider of cryptography.
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
            .map_err(TlsError::Pair)?;
        Ok(Self {
            http1: Handshakes::speaking(b"http/1.1", config.clone()),
            http2: Handshakes::speaking(b"h2", config),
        })
    }
}

impl Handshakes {
    fn speaking(protocol: &[u8], mut config: ServerConfig) -> Self {
        config.alpn_protocols = vec![protocol.to_vec()];
        Self(TlsAcceptor::from(Arc::new(config)))
    }

    /// The connection behind its handshake; `None` when the client does not manage one in time, or the
    /// server is asked to end meanwhile: nothing has been asked of it yet.
    pub async fn accept(&self, stream: TcpStream, seat: &mut Seat) -> Option<TlsStream<TcpStream>> {
        let handshake = timeout(HANDSHAKE_TIMEOUT, self.0.accept(stream));
        let outcome = tokio::select! {
            biased;
            () = seat.end_asked() => return None,
            outcome = handshake => outcome,
        };
        match outcome.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(stream) => Some(stream),
            Err(error) => {
                tracing::debug!("a handshake failed: {error}");
                None
            }
        }
    }
}

impl fmt::Debug for Handshakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Handshakes").finish_non_exhaustive()
    }
}
