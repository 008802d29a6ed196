//! A server that takes nothing, and says why a moment later: both HTTP clients must hear it. So does a server
//! that wants a certificate: with TLS 1.3 it refuses a client after the client's handshake is done.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Instant,
};

use bytes::Bytes;
use http::Method;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::{http1, http2};

/// What it says in the end, after one poll that gives nothing; the end of the stream when empty.
struct Deaf {
    is_silent: bool,
    says: Option<io::Result<&'static [u8]>>,
}

impl Deaf {
    fn that_says(says: io::Result<&'static [u8]>) -> Self {
        Self {
            is_silent: true,
            says: Some(says),
        }
    }

    fn that_says_nothing() -> Self {
        Self {
            is_silent: true,
            says: None,
        }
    }
}

impl AsyncRead for Deaf {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if std::mem::take(&mut self.is_silent) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Some(says) = self.says.take() {
            buffer.put_slice(says?);
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Deaf {
    fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn alert() -> Deaf {
    Deaf::that_says(Err(io::Error::other("alert: certificate required")))
}

/// The body of an answer, or why there is none.
async fn by_http1(server: Deaf) -> String {
    let mut connection = http1::Connection::new(server);
    let request = http1::Request {
        method: &Method::GET,
        head: b"GET / HTTP/1.1\r\n\r\n",
        body: &Bytes::new(),
        closes: false,
    };
    if let Err(error) = connection.send(&request).await {
        return error.to_string();
    }
    let body = connection.collect().await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

/// Why there is no answer.
async fn by_http2(server: Deaf) -> String {
    let connection = http2::Connection::new(server);
    let begun = connection.begin(Instant::now(), &[(b":method", b"POST")]);
    let exchange = begun.await.unwrap();
    exchange.head().await.unwrap_err().to_string()
}

#[tokio::test]
async fn what_a_server_says_after_it_took_nothing_is_heard() {
    let answer = b"HTTP/1.1 413 Too large\r\nContent-Length: 4\r\n\r\nless";
    assert_eq!(by_http1(Deaf::that_says(Ok(answer))).await, "less");
    for heard in [by_http1(alert()).await, by_http2(alert()).await] {
        assert!(heard.contains("certificate required"), "{heard}");
    }
}

#[tokio::test]
async fn a_server_that_says_nothing_is_one_that_took_nothing() {
    let nothing = Deaf::that_says_nothing;
    for heard in [by_http1(nothing()).await, by_http2(nothing()).await] {
        assert!(heard.contains("broken pipe"), "{heard}");
    }
}
