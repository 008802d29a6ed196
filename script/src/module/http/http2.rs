//! HTTP/2, where a server has chosen it in the TLS handshake.

use std::{cell::Cell, future::poll_fn, pin::pin, task::Poll, time::Instant};

use bytes::{Bytes, BytesMut};
use futures_util::future::{Either, select};
use h2::{
    RecvStream, SendStream,
    client::{Builder, SendRequest},
};
use http::{
    HeaderMap, Method, Request, Uri, Version,
    header::{CONNECTION, HOST, TE, TRANSFER_ENCODING, UPGRADE},
    response::Parts,
    uri,
};

use super::{connection::Timings, url::Target};
use crate::tls::TlsStream;

/// Bytes that a server may send of one answer, and of all together, before we have read them: Go's
/// (<https://pkg.go.dev/golang.org/x/net/http2#Transport>).
const STREAM_WINDOW: u32 = 4 << 20;
const CONNECTION_WINDOW: u32 = 1 << 30;

/// A connection that carries many exchanges at once. Clones share it, and it ends with the last of
/// them.
#[derive(Clone, Debug)]
pub(super) struct Http2 {
    sender: SendRequest<Bytes>,
    /// Whether the last exchange has got its head.
    has_answered: bool,
}

impl Http2 {
    /// Begins the protocol.
    pub(super) async fn start(stream: TlsStream) -> Result<Self, h2::Error> {
        let (sender, connection) = Builder::new()
            .enable_push(false)
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .handshake(stream)
            .await?;
        // How it ends is told to the exchanges.
        tokio::task::spawn_local(async move { connection.await.ok() });
        Ok(Self {
            sender,
            has_answered: false,
        })
    }

    /// Whether another request may be sent.
    pub(super) async fn is_open(&mut self) -> bool {
        let ready = poll_fn(|cx| Poll::Ready(self.sender.poll_ready(cx))).await;
        !matches!(ready, Poll::Ready(Err(_)))
    }

    /// Whether the server has begun to answer the last request.
    pub(super) fn has_answered(&self) -> bool {
        self.has_answered
    }

    /// Sends a request and reads the whole answer, adding to the timings. A request counts as sent when
    /// the connection has taken its last byte.
    pub(super) async fn exchange(
        &mut self,
        request: Request<()>,
        body: &Bytes,
        timings: &mut Timings,
    ) -> Result<(Parts, Bytes), h2::Error> {
        self.has_answered = false;
        let began = Instant::now();
        let mut sender = self.sender.clone().ready().await?;
        let (answer, mut stream) = sender.send_request(request, body.is_empty())?;
        let (written, first) = (Cell::new(None), Cell::new(None));
        let send = async {
            let sent = send_body(&mut stream, body.clone()).await;
            written.set(Some(Instant::now()));
            sent
        };
        let receive = async {
            let (head, body) = answer.await?.into_parts();
            first.set(Some(Instant::now()));
            Ok((head, collect(body).await?))
        };
        let result = match select(pin!(send), pin!(receive)).await {
            // Where it could not be sent, the answer tells why.
            Either::Left((_, receive)) => receive.await,
            Either::Right((received, _)) => received,
        };
        let ended = Instant::now();
        self.has_answered = first.get().is_some();
        let written = written.get().unwrap_or(ended);
        let first = first.get().unwrap_or(ended);
        timings.sending = written.saturating_duration_since(began);
        timings.waiting = first.saturating_duration_since(written);
        timings.receiving = ended.saturating_duration_since(first.max(written));
        result
    }
}

/// Sends as the server makes room.
async fn send_body(stream: &mut SendStream<Bytes>, mut body: Bytes) -> Result<(), h2::Error> {
    while !body.is_empty() {
        stream.reserve_capacity(body.len());
        let Some(room) = poll_fn(|cx| stream.poll_capacity(cx)).await else {
            // The server wants no more.
            return Ok(());
        };
        let piece = body.split_to(room?.min(body.len()));
        if !piece.is_empty() {
            stream.send_data(piece, body.is_empty())?;
        }
    }
    Ok(())
}

async fn collect(mut body: RecvStream) -> Result<Bytes, h2::Error> {
    let mut whole = BytesMut::new();
    let mut only = Bytes::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        body.flow_control().release_capacity(piece.len())?;
        if whole.is_empty() && only.is_empty() {
            only = piece;
            continue;
        }
        whole.extend_from_slice(&std::mem::take(&mut only));
        whole.extend_from_slice(&piece);
    }
    body.trailers().await?;
    Ok(if only.is_empty() {
        whole.freeze()
    } else {
        only
    })
}

/// The head of a request: what HTTP/1.1 says in headers about the connection is left out.
///
/// # Errors
/// When the host cannot be addressed.
pub(super) fn request(
    method: &Method,
    target: &Target,
    headers: &HeaderMap,
) -> Result<Request<()>, http::Error> {
    let host = headers.get(HOST).unwrap_or(&target.host_header);
    let uri = Uri::builder()
        .scheme(uri::Scheme::HTTPS)
        .authority(host.as_bytes())
        .path_and_query(target.path.clone())
        .build()?;
    let mut request = Request::new(());
    method.clone_into(request.method_mut());
    *request.version_mut() = Version::HTTP_2;
    *request.uri_mut() = uri;
    let own = [HOST, CONNECTION, TRANSFER_ENCODING, UPGRADE];
    let is_sent = |name: &http::HeaderName, value: &http::HeaderValue| {
        !own.contains(name)
            && !["keep-alive", "proxy-connection"].contains(&name.as_str())
            && (*name != TE || value == "trailers")
    };
    for (name, value) in headers {
        if is_sent(name, value) {
            request.headers_mut().append(name, value.clone());
        }
    }
    Ok(request)
}
