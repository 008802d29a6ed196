//! What connections read from and write to.

use std::{
    io::{self, IoSlice},
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use http::{
    HeaderValue,
    uri::{Authority, Scheme},
};
use measure::{Closing, CountingStream, Traffic};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::tls::{Connector, TlsError, TlsStream};

/// Where a connection leads, and what its calls have in common.
#[derive(Clone, Debug)]
pub(crate) struct Endpoint {
    /// Host and port as the script wrote them.
    pub(crate) address: String,
    /// What requests are addressed to.
    pub(crate) authority: Authority,
    pub(crate) user_agent: HeaderValue,
    /// Most bytes of a message of the server.
    pub(crate) most_received: usize,
    /// Counts what the socket carries.
    pub(crate) traffic: Arc<Traffic>,
    /// How TLS begins; none for none.
    pub(crate) tls: Option<Connector>,
}

/// A connected socket, with TLS or without.
#[derive(Debug)]
pub(super) enum Socket {
    Plain(CountingStream),
    Secure(Box<TlsStream>),
}

/// Why a socket could not be connected.
#[derive(Debug, thiserror::Error)]
pub(super) enum DialError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("authentication handshake failed: {0}")]
    Tls(#[from] TlsError),
}

impl Endpoint {
    pub(super) fn scheme(&self) -> Scheme {
        match self.tls {
            Some(_) => Scheme::HTTPS,
            None => Scheme::HTTP,
        }
    }

    /// Connects, and shakes hands where TLS is wanted. The certificate must be for whom requests are
    /// addressed to.
    pub(super) async fn dial(&self) -> Result<(Socket, Closing), DialError> {
        let resolved = tokio::net::lookup_host(&self.address).await?;
        let addresses: Vec<SocketAddr> = resolved.collect();
        let (stream, closing) = CountingStream::connect(&addresses, &self.traffic).await?;
        let socket = match &self.tls {
            None => Socket::Plain(stream),
            Some(connector) => {
                let host = self.authority.host().trim_matches(['[', ']']);
                Socket::Secure(Box::new(connector.connect(host, stream).await?))
            }
        };
        Ok((socket, closing))
    }
}

impl Socket {
    /// Whether HTTP/2 may be spoken: without TLS nobody has to agree on it.
    pub(super) fn allows_http2(&self) -> bool {
        match self {
            Self::Plain(_) => true,
            Self::Secure(stream) => stream.session().is_http2,
        }
    }
}

/// Does the same with either.
macro_rules! with {
    ($socket:expr, $stream:ident => $result:expr) => {
        match $socket {
            Socket::Plain($stream) => $result,
            Socket::Secure($stream) => $result,
        }
    };
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        with!(self.get_mut(), stream => Pin::new(stream).poll_read(cx, buffer))
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        with!(self.get_mut(), stream => Pin::new(stream).poll_write(cx, bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        with!(self.get_mut(), stream => Pin::new(stream).poll_write_vectored(cx, slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        with!(self.get_mut(), stream => Pin::new(stream).poll_flush(cx))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        with!(self.get_mut(), stream => Pin::new(stream).poll_shutdown(cx))
    }
}
