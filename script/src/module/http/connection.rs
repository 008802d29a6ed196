//! One keep-alive connection.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::HeaderMap;
use measure::{CountingStream, Traffic};
use tokio::io::{AsyncRead, AsyncWrite};

use super::{
    failure::{Broken, Failure},
    head::Head,
    http2::{self, Http2},
    url::{Scheme, Target},
};
use crate::{
    http1::{self, ExchangeError, Request},
    test::Test,
    tls::{Alpn, Connectors, Session, TlsStream},
};

/// A connection that moves only while its virtual user waits for it; a task of its own would cost
/// a wake-up for every answer.
pub(super) struct Connection {
    kind: Kind,
    /// The server's address.
    pub(super) remote: SocketAddr,
    /// What the TLS handshake has agreed on, where there was one.
    pub(super) session: Option<Session>,
    /// Whether it has carried an exchange before.
    pub(super) reused: bool,
}

/// What a connection speaks.
enum Kind {
    /// HTTP/1.1 without TLS.
    Http1(http1::Connection<CountingStream>),
    /// HTTP/1.1 over TLS.
    Https1(Box<http1::Connection<TlsStream>>),
    /// HTTP/2 over TLS.
    Http2(Http2),
}

/// How long the parts of an exchange took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Timings {
    /// Until a connection was there.
    pub(super) blocked: Duration,
    /// TCP handshake; 0 on a connection that was open.
    pub(super) connecting: Duration,
    /// TLS handshake; 0 without TLS and on a connection that was open.
    pub(super) tls_handshaking: Duration,
    /// Until the request was written.
    pub(super) sending: Duration,
    /// To the first byte of the answer.
    pub(super) waiting: Duration,
    /// To its last byte.
    pub(super) receiving: Duration,
}

impl Timings {
    /// Sending, waiting and receiving.
    pub(super) fn duration(&self) -> Duration {
        self.sending + self.waiting + self.receiving
    }
}

impl Connection {
    /// Opens a connection, and adds to the timings how long the handshakes took.
    pub(super) async fn open(
        target: &Target,
        traffic: &Arc<Traffic>,
        test: &Test,
        timings: &mut Timings,
    ) -> Result<Self, Failure> {
        let addresses: Vec<SocketAddr> = match target.host.parse() {
            Ok(ip) => vec![SocketAddr::new(ip, target.port)],
            Err(_) => tokio::net::lookup_host((target.host.as_str(), target.port))
                .await
                .map_err(|error| Failure::lookup(&target.host, &error))?
                .collect(),
        };
        let began = Instant::now();
        // Dropping what closes in order: load that ends abruptly is fine for a load generator.
        let (stream, _) = CountingStream::connect(&addresses, traffic)
            .await
            .map_err(|error| Failure::dial(&error))?;
        let connected = Instant::now();
        timings.connecting = connected - began;
        let (kind, session) = match target.scheme {
            Scheme::Http => (Kind::Http1(http1::Connection::new(stream)), None),
            Scheme::Https => {
                let secure = secure(target, stream, test).await;
                timings.tls_handshaking = connected.elapsed();
                let (kind, session) = secure?;
                (kind, Some(session))
            }
        };
        Ok(Self {
            kind,
            remote: addresses
                .first()
                .copied()
                .unwrap_or(([0, 0, 0, 0], 0).into()),
            session,
            reused: false,
        })
    }

    /// Whether another request may be sent; false when the server has closed it meanwhile.
    pub(super) async fn is_usable(&mut self) -> bool {
        match &mut self.kind {
            Kind::Http1(connection) => connection.is_open().await,
            Kind::Https1(connection) => connection.is_open().await,
            Kind::Http2(connection) => connection.is_open().await,
        }
    }

    /// Whether it can be kept for another request.
    pub(super) fn is_reusable(&self) -> bool {
        match &self.kind {
            Kind::Http1(connection) => connection.is_reusable(),
            Kind::Https1(connection) => connection.is_reusable(),
            Kind::Http2(_) => true,
        }
    }

    /// Whether the server has begun to answer the last request.
    pub(super) fn has_answered(&self) -> bool {
        match &self.kind {
            Kind::Http1(connection) => connection.times().first_read.is_some(),
            Kind::Https1(connection) => connection.times().first_read.is_some(),
            Kind::Http2(connection) => connection.has_answered(),
        }
    }

    /// Whether it carries several requests at once.
    pub(super) fn is_shared(&self) -> bool {
        matches!(self.kind, Kind::Http2(_))
    }

    /// The same connection for a request beside others, where the protocol has that.
    pub(super) fn share(&self) -> Option<Self> {
        match &self.kind {
            Kind::Http1(_) | Kind::Https1(_) => None,
            Kind::Http2(connection) => Some(Self {
                kind: Kind::Http2(connection.clone()),
                remote: self.remote,
                session: self.session,
                reused: true,
            }),
        }
    }

    /// Sends a request, for which the connection was ready at an instant, and reads the whole answer,
    /// adding to the timings. `headers` are those of its head.
    pub(super) async fn exchange(
        &mut self,
        request: &Request<'_>,
        target: &Target,
        headers: &HeaderMap,
        ready: Instant,
        timings: &mut Timings,
    ) -> Result<(Head, Bytes), Broken> {
        self.reused = true;
        let (head, body) = match &mut self.kind {
            Kind::Http1(connection) => exchange(connection, request, ready, timings).await?,
            Kind::Https1(connection) => exchange(connection, request, ready, timings).await?,
            Kind::Http2(connection) => {
                let head = http2::request(request.method, target, headers)?;
                // In a box: it is large, and would be a part of every request over HTTP/1.1.
                let answered = Box::pin(connection.exchange(head, request.body, timings)).await?;
                return Ok((Head::Http2(Box::new(answered.0)), answered.1));
            }
        };
        Ok((Head::Http1(head), body))
    }
}

/// Shakes hands over a connected socket.
async fn secure(
    target: &Target,
    stream: CountingStream,
    test: &Test,
) -> Result<(Kind, Session), Failure> {
    let connectors = test.shared::<Connectors>();
    let connector = connectors.connector(test.options().tls(), &target.host, Alpn::Any);
    let connector = connector.map_err(|error| Failure::tls(&error))?;
    let secured = connector.connect(&target.host, stream).await;
    let stream = secured.map_err(|error| Failure::tls(&error))?;
    let session = stream.session();
    let kind = if session.is_http2 {
        let started = Http2::start(stream).await;
        Kind::Http2(started.map_err(|error| Failure::http2(&error))?)
    } else {
        Kind::Https1(Box::new(http1::Connection::new(stream)))
    };
    Ok((kind, session))
}

async fn exchange<S: AsyncRead + AsyncWrite + Unpin>(
    connection: &mut http1::Connection<S>,
    request: &Request<'_>,
    ready: Instant,
    timings: &mut Timings,
) -> Result<(http1::Head, Bytes), ExchangeError> {
    let result = match connection.send(request).await {
        Ok(head) => connection.collect().await.map(|body| (head, body)),
        Err(error) => Err(error),
    };
    let ended = Instant::now();
    let times = connection.times();
    let written = times.last_write.unwrap_or(ended);
    let first = times.first_read.unwrap_or(ended);
    timings.sending = written.saturating_duration_since(ready);
    timings.waiting = first.saturating_duration_since(written);
    timings.receiving = ended.saturating_duration_since(first.max(written));
    result
}
