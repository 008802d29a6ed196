//! A connection whose bytes are encrypted.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, Waker},
};

use measure::CountingStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::{cipher_suite, version::TlsVersion};

/// TLS over a socket that counts: what is counted are the encrypted bytes, the handshake included.
#[derive(Debug)]
pub(crate) struct TlsStream {
    inner: tokio_rustls::client::TlsStream<CountingStream>,
    /// Whether encrypted bytes wait for room in the socket.
    is_unsent: bool,
}

/// What a handshake has agreed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Session {
    /// For example `tls1.3`; empty without TLS.
    pub(crate) version: &'static str,
    /// For example `TLS_AES_128_GCM_SHA256`; empty without TLS.
    pub(crate) cipher_suite: &'static str,
    /// Whether the server has chosen HTTP/2.
    pub(crate) is_http2: bool,
}

impl TlsStream {
    pub(super) fn new(inner: tokio_rustls::client::TlsStream<CountingStream>) -> Self {
        Self {
            inner,
            is_unsent: false,
        }
    }

    /// What the handshake has agreed on.
    pub(crate) fn session(&self) -> Session {
        let (_, session) = self.inner.get_ref();
        let suite = session.negotiated_cipher_suite();
        Session {
            version: TlsVersion::name_of(session.protocol_version()),
            cipher_suite: suite.map_or("", |suite| cipher_suite::name_of(suite.suite())),
            is_http2: session.alpn_protocol() == Some(b"h2"),
        }
    }
}

impl AsyncRead for TlsStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // A write is done when its bytes are encrypted. Who waits for the answer sees to it that
        // they are sent; where that fails, there may be an answer all the same.
        if self.is_unsent {
            let _ = self.as_mut().poll_flush(cx);
        }
        Pin::new(&mut self.inner).poll_read(cx, buffer)
    }
}

impl AsyncWrite for TlsStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.is_unsent = true;
        Pin::new(&mut self.inner).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.is_unsent = true;
        Pin::new(&mut self.inner).poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.inner).poll_flush(cx);
        self.is_unsent &= !flushed.is_ready();
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}

impl Drop for TlsStream {
    /// Tells the server that this is the end, as Go does, if the socket takes it at once.
    fn drop(&mut self) {
        let mut cx = Context::from_waker(Waker::noop());
        let _ = Pin::new(&mut self.inner).poll_shutdown(&mut cx);
    }
}
