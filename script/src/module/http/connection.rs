//! One keep-alive connection.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use measure::{CountingStream, Traffic};

use super::{failure::Failure, url::Target};
use crate::http1::{self, ExchangeError, Head, Request};

/// A connection that moves only while its virtual user waits for it; a task of its own would cost
/// a wake-up for every answer.
pub(super) struct Connection {
    kind: Kind,
    /// The server's address.
    pub(super) remote: SocketAddr,
    /// Whether it has carried an exchange before.
    pub(super) reused: bool,
}

/// What a connection speaks.
enum Kind {
    /// HTTP/1.1 without TLS.
    Http1(http1::Connection<CountingStream>),
}

/// How long the parts of an exchange took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Timings {
    /// Until a connection was there.
    pub(super) blocked: Duration,
    /// TCP handshake; 0 on a connection that was open.
    pub(super) connecting: Duration,
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
    /// Opens a connection and tells how long the TCP handshake took.
    pub(super) async fn open(
        target: &Target,
        traffic: &Arc<Traffic>,
    ) -> Result<(Self, Duration), Failure> {
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
        let connecting = began.elapsed();
        let connection = Self {
            kind: Kind::Http1(http1::Connection::new(stream)),
            remote: addresses
                .first()
                .copied()
                .unwrap_or(([0, 0, 0, 0], 0).into()),
            reused: false,
        };
        Ok((connection, connecting))
    }

    /// Whether another request may be sent; false when the server has closed it meanwhile.
    pub(super) async fn is_usable(&mut self) -> bool {
        match &mut self.kind {
            Kind::Http1(connection) => connection.is_open().await,
        }
    }

    /// Whether it can be kept for another request.
    pub(super) fn is_reusable(&self) -> bool {
        match &self.kind {
            Kind::Http1(connection) => connection.is_reusable(),
        }
    }

    /// Whether the server has begun to answer the last request.
    pub(super) fn has_answered(&self) -> bool {
        match &self.kind {
            Kind::Http1(connection) => connection.times().first_read.is_some(),
        }
    }

    /// Sends a request, for which the connection was ready at an instant, and reads the whole answer,
    /// adding to the timings.
    pub(super) async fn exchange(
        &mut self,
        request: &Request<'_>,
        ready: Instant,
        timings: &mut Timings,
    ) -> Result<(Head, Bytes), ExchangeError> {
        self.reused = true;
        let Kind::Http1(connection) = &mut self.kind;
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
}
