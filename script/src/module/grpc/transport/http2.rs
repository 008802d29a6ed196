//! gRPC over HTTP/2.

use std::{
    cell::{Cell, RefCell},
    pin::pin,
    rc::Rc,
    time::{Duration, Instant},
};

use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{CONNECTION, CONTENT_TYPE, TE, TRANSFER_ENCODING, UPGRADE, USER_AGENT},
    uri::Scheme,
};
use measure::Closing;

use super::{
    Call, Ending, Incoming, Outgoing, Transport,
    connection::{Connection, Exchange, Link, takes_calls},
    failure::{closing, status_of},
    framing::{Frames, only_messages},
    socket::{Endpoint, Socket},
};
use crate::{alarm::Alarms, http2::Field, module::grpc::status::Status};

/// One HTTP/2 connection.
pub(crate) struct Http2 {
    endpoint: Endpoint,
    headers: HeaderMap,
    open: RefCell<Option<Connection>>,
    alarms: Alarms,
    closed: Cell<bool>,
}

impl Http2 {
    /// A connection that is not open yet.
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("application/grpc")),
            (USER_AGENT, endpoint.user_agent.clone()),
            (TE, HeaderValue::from_static("trailers")),
        ]);
        Self {
            endpoint,
            headers,
            open: RefCell::default(),
            alarms: Alarms::default(),
            closed: Cell::default(),
        }
    }

    async fn open(&self) -> Result<(), Status> {
        if self.closed.get() {
            return Err(closing());
        }
        let dialed = self.endpoint.dial().await;
        let (socket, closing) = dialed.map_err(|error| self.failed(&error))?;
        self.adopt(socket, closing).await
    }

    /// Takes over a connected socket.
    pub(super) async fn adopt(&self, socket: Socket, closing: Closing) -> Result<(), Status> {
        if !socket.allows_http2() {
            return Err(
                self.failed(&"the server has not chosen HTTP/2 in the TLS handshake (ALPN)")
            );
        }
        let connection = Connection::start(socket, closing).await;
        // Two calls may have opened one each; the later stays.
        self.open.replace(Some(connection));
        Ok(())
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> Status {
        let address = &self.endpoint.address;
        Status::unavailable(format!(
            "connection error: desc = \"transport: Error while dialing: {address}: {why}\""
        ))
    }

    /// A connection that takes calls, opened again if it was lost.
    async fn ready(&self, now: Instant) -> Result<Rc<Link>, Status> {
        let current = || {
            let open = self.open.borrow();
            open.as_ref().map(|open| Rc::clone(open.link()))
        };
        if let Some(link) = current()
            && takes_calls(&link, now).await
        {
            return Ok(link);
        }
        self.open().await?;
        current().ok_or_else(closing)
    }

    /// Sends the head of a request.
    pub(super) async fn begin(
        &self,
        now: Instant,
        head: &RequestHead<'_>,
    ) -> Result<Exchange, Status> {
        head.check()?;
        let scheme = self.endpoint.scheme();
        let fields = head.fields(&scheme, self.endpoint.authority.as_str());
        let link = self.ready(now).await?;
        if let Ok(exchange) = link.begin(now, &fields).await {
            return Ok(exchange);
        }
        // Nothing was sent: the connection takes no calls any more, another one may.
        self.open.take();
        let link = self.ready(now).await?;
        let begun = link.begin(now, &fields).await;
        begun.map_err(|failure| status_of(&failure))
    }

    /// Sends what is waiting to be sent: the server learns of calls that nobody waits for any more.
    pub(super) async fn drive_once(&self) {
        let link = {
            let open = self.open.borrow();
            open.as_ref().map(|open| Rc::clone(open.link()))
        };
        if let Some(link) = link {
            link.drive_once().await;
        }
    }

    async fn exchange(
        &self,
        now: Instant,
        call: &Call,
        outgoing: Outgoing,
        incoming: Incoming<'_>,
    ) -> Ending {
        let announced = call.timeout.filter(|limit| limit.announced);
        let head = RequestHead {
            path: call.path.as_str(),
            headers: &self.headers,
            timeout: announced.map(|limit| timeout_header(limit.duration)),
            own: &call.metadata,
        };
        let exchange = match self.begin(now, &head).await {
            Ok(exchange) => exchange,
            Err(status) => return Ending::of(status),
        };
        let traffic = &self.endpoint.traffic;
        let (mut messages, written) = match outgoing {
            Outgoing::One(message) => {
                traffic.sent_body(message.len());
                exchange.send(message, true);
                return self.ending(&exchange, incoming).await;
            }
            Outgoing::Many(messages, written) => (messages, written),
        };
        let receive = self.ending(&exchange, incoming);
        let send = async {
            while let Some(message) = messages.recv().await {
                traffic.sent_body(message.len());
                exchange.send(message, false);
                written();
            }
            exchange.send(Bytes::new(), true);
        };
        // In this order, so that what is sent is written when the answer is waited for.
        match select(pin!(send), pin!(receive)).await {
            Either::Left(((), receive)) => receive.await,
            Either::Right((ending, _)) => ending,
        }
    }

    async fn ending(&self, exchange: &Exchange, incoming: Incoming<'_>) -> Ending {
        let mut ending = Ending::default();
        let result = self.receive(exchange, incoming, &mut ending).await;
        ending.status = result.unwrap_or_else(|status| status);
        ending
    }

    async fn receive(
        &self,
        exchange: &Exchange,
        incoming: Incoming<'_>,
        ending: &mut Ending,
    ) -> Result<Status, Status> {
        let head = exchange.head().await;
        let head = head.map_err(|failure| status_of(&failure))?;
        if let Some(status) = Status::in_trailers(&head.headers) {
            // An answer without a message has its status in the head.
            ending.trailers = head.headers;
            return Ok(status);
        }
        ending.headers = head.headers;
        check_head(head.status.unwrap_or_default(), &ending.headers)?;
        let mut frames = Frames::new(self.endpoint.most_received, only_messages);
        let mut take = |_, message| incoming.message(message);
        while let Some(piece) = next_piece(exchange).await? {
            self.endpoint.traffic.received_body(piece.len());
            frames.push(piece, &mut take)?;
        }
        if let Some(trailers) = exchange.trailers() {
            ending.trailers = trailers.headers;
        }
        let status = Status::in_trailers(&ending.trailers)
            .ok_or_else(|| Status::internal("server closed the stream without sending trailers"))?;
        if status.is_ok() {
            frames.finish()?;
        }
        Ok(status)
    }
}

/// What a request begins with, besides what all requests of a connection have in common.
pub(super) struct RequestHead<'a> {
    pub(super) path: &'a str,
    /// Those that are known to be good.
    pub(super) headers: &'a HeaderMap,
    pub(super) timeout: Option<HeaderValue>,
    /// The script's own.
    pub(super) own: &'a HeaderMap,
}

impl RequestHead<'_> {
    /// Refuses headers that HTTP/2 has no place for (RFC 9113, section 8.2.2).
    fn check(&self) -> Result<(), Status> {
        let is_refused = |name: &http::HeaderName| {
            [CONNECTION, TRANSFER_ENCODING, UPGRADE].contains(name)
                || ["keep-alive", "proxy-connection"].contains(&name.as_str())
        };
        match self.own.keys().find(|name| is_refused(name)) {
            None => Ok(()),
            Some(name) => Err(Status::internal(format!(
                "metadata {name:?} cannot be sent: HTTP/2 has no such header"
            ))),
        }
    }

    /// Names and values in the order in which they are sent.
    fn fields<'a>(&'a self, scheme: &'a Scheme, authority: &'a str) -> Vec<Field<'a>> {
        let mut fields: Vec<Field<'a>> = Vec::with_capacity(8);
        fields.extend([
            (&b":method"[..], &b"POST"[..]),
            (b":scheme", scheme.as_str().as_bytes()),
            (b":authority", authority.as_bytes()),
            (b":path", self.path.as_bytes()),
        ]);
        let timeout = self.timeout.as_ref().map(HeaderValue::as_bytes);
        fields.extend(timeout.map(|timeout| (&b"grpc-timeout"[..], timeout)));
        let headers = self.headers.iter().chain(self.own);
        fields.extend(headers.map(|(name, value)| (name.as_str().as_bytes(), value.as_bytes())));
        fields
    }
}

impl Transport for Http2 {
    fn connect(&self) -> LocalBoxFuture<'_, Result<(), Status>> {
        self.open().boxed_local()
    }

    fn call<'a>(
        &'a self,
        call: &'a Call,
        outgoing: Outgoing,
        incoming: Incoming<'a>,
    ) -> LocalBoxFuture<'a, Ending> {
        async move {
            let late = || Ending::of(Status::deadline_exceeded("context deadline exceeded"));
            // Timers are exact to 1 ms, in which an answer may well come.
            if call.timeout.is_some_and(|limit| limit.duration.is_zero()) {
                return late();
            }
            let now = Instant::now();
            let exchange = self.exchange(now, call, outgoing, incoming);
            // Nobody lives to see a deadline that the clock has no name for.
            let deadline = call
                .timeout
                .and_then(|limit| now.checked_add(limit.duration));
            let Some(deadline) = deadline else {
                return exchange.await;
            };
            // Pinned, as it is too large to be moved for nothing.
            let exchange = pin!(exchange);
            if let Some(ending) = self.alarms.before(deadline.into(), exchange).await {
                return ending;
            }
            self.drive_once().await;
            late()
        }
        .boxed_local()
    }

    fn close(&self) -> LocalBoxFuture<'_, ()> {
        self.closed.set(true);
        let open = self.open.take();
        async move {
            if let Some(open) = open {
                open.close().await;
            }
        }
        .boxed_local()
    }
}

fn check_head(status: StatusCode, headers: &HeaderMap) -> Result<(), Status> {
    if status != StatusCode::OK {
        return Err(Status::of_http(status));
    }
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    if content_type.is_some_and(|found| found.starts_with(b"application/grpc")) {
        return Ok(());
    }
    let found = String::from_utf8_lossy(content_type.unwrap_or_default());
    let mut failed = Status::of_http(status);
    failed.message = format!(
        "{}; transport: received unexpected content-type {found:?}",
        failed.message
    );
    Err(failed)
}

pub(super) async fn next_piece(exchange: &Exchange) -> Result<Option<Bytes>, Status> {
    let piece = exchange.piece().await;
    piece.map_err(|failure| status_of(&failure))
}

/// At most eight digits, in the smallest unit that allows for it.
pub(super) fn timeout_header(duration: Duration) -> HeaderValue {
    const UNITS: [(char, u128); 6] = [
        ('n', 1),
        ('u', 1_000),
        ('m', 1_000_000),
        ('S', 1_000_000_000),
        ('M', 60_000_000_000),
        ('H', 3_600_000_000_000),
    ];
    const MOST: u128 = 99_999_999;
    let ns = duration.as_nanos();
    let fitting = UNITS.iter().find(|(_, unit)| ns.div_ceil(*unit) <= MOST);
    let text = match fitting {
        Some((letter, unit)) => format!("{}{letter}", ns.div_ceil(*unit)),
        None => format!("{MOST}H"),
    };
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("99999999H"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn timeouts_have_at_most_eight_digits() {
        for (duration, text) in [
            (Duration::from_millis(50), "50000000n"),
            (Duration::from_secs(1), "1000000u"),
            (Duration::from_mins(2), "120000m"),
            (Duration::from_secs(200_000), "200000S"),
            (Duration::MAX, "99999999H"),
        ] {
            assert_eq!(timeout_header(duration), text);
        }
    }

    #[test]
    fn timeouts_are_those_of_the_shared_table() {
        let table = include_str!("../../../../../xk6-grpcweb/testdata/grpc-web-requests.json");
        let rows: Vec<serde_json::Value> = serde_json::from_str(table).unwrap();
        let timeouts: Vec<_> = rows
            .iter()
            .filter_map(|row| Some((row["timeout_ns"].as_u64()?, &row["expect"]["grpc_timeout"])))
            .collect();
        assert!(timeouts.len() >= 13, "only {} rows", timeouts.len());
        for (ns, expected) in timeouts {
            let header = timeout_header(Duration::from_nanos(ns));
            assert_eq!(header.to_str().ok(), expected.as_str(), "{ns} ns");
        }
    }
}
