//! gRPC over HTTP/2.

use std::{
    cell::{Cell, RefCell},
    future::poll_fn,
    pin::pin,
    rc::Rc,
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
};
use h2::{
    RecvStream, SendStream,
    client::{ResponseFuture, SendRequest},
};
use http::{
    HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, Version,
    header::{CONTENT_TYPE, TE, USER_AGENT},
    uri::Parts,
};
use measure::Closing;
use tokio::time::Instant;

use super::{
    Call, Ending, Incoming, Outgoing, Transport,
    connection::{Connection, Driver, Turn},
    failure::status_of,
    framing::{Frames, only_messages},
    socket::{Endpoint, Socket},
};
use crate::{alarm::Alarms, module::grpc::status::Status};

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
        let connection = connection.map_err(|error| self.failed(&error))?;
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
    async fn ready(&self) -> Result<(SendRequest<Bytes>, Rc<Driver>), Status> {
        let current = || {
            let open = self.open.borrow();
            open.as_ref()
                .map(|open| (open.sender(), Rc::clone(open.driver())))
        };
        if let Some((mut sender, driver)) = current()
            && driver.ended().await.is_none()
            && takes_calls(&mut sender).await
        {
            return Ok((sender, driver));
        }
        self.open().await?;
        let Some((sender, driver)) = current() else {
            return Err(closing());
        };
        let ready = driver.turn().until(sender.ready()).await?;
        Ok((ready.map_err(|error| status_of(&error))?, driver))
    }

    fn request(&self, call: &Call) -> Result<Request<()>, Status> {
        let mut parts = Parts::default();
        parts.scheme = Some(self.endpoint.scheme());
        parts.authority = Some(self.endpoint.authority.clone());
        parts.path_and_query = Some(call.path.clone());
        let uri = Uri::from_parts(parts).map_err(|error| Status::internal(error.to_string()))?;
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.version_mut() = Version::HTTP_2;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.clone_from(&self.headers);
        if let Some(limit) = call.timeout.filter(|limit| limit.announced) {
            headers.insert("grpc-timeout", timeout_header(limit.duration));
        }
        for (name, value) in &call.metadata {
            headers.append(name, value.clone());
        }
        Ok(request)
    }

    /// Sends the head of a request.
    pub(super) async fn begin(
        &self,
        request: impl Fn() -> Result<Request<()>, Status>,
    ) -> Result<(ResponseFuture, SendStream<Bytes>, Rc<Driver>), Status> {
        let (mut sender, driver) = self.ready().await?;
        match sender.send_request(request()?, false) {
            Ok((answer, stream)) => Ok((answer, stream, driver)),
            // Nothing was sent: the connection takes no calls any more, another one may.
            Err(error) if error.is_go_away() || error.is_io() => {
                self.open.take();
                let (mut sender, driver) = self.ready().await?;
                let sent = sender.send_request(request()?, false);
                let (answer, stream) = sent.map_err(|error| status_of(&error))?;
                Ok((answer, stream, driver))
            }
            Err(error) => Err(status_of(&error)),
        }
    }

    /// Sends what is waiting to be sent: the server learns of calls that nobody waits for any more.
    pub(super) async fn drive_once(&self) {
        let driver = self
            .open
            .borrow()
            .as_ref()
            .map(|open| Rc::clone(open.driver()));
        if let Some(driver) = driver {
            driver.drive_once().await;
        }
    }

    async fn exchange(&self, call: &Call, outgoing: Outgoing, incoming: Incoming<'_>) -> Ending {
        let (answer, mut stream, driver) = match self.begin(|| self.request(call)).await {
            Ok(begun) => begun,
            Err(status) => return Ending::of(status),
        };
        if let Outgoing::One(message) = &outgoing
            && let Err(error) = stream.send_data(message.clone(), true)
        {
            return Ending::of(status_of(&error));
        }
        let receive = self.ending(answer, driver.turn(), incoming);
        let traffic = &self.endpoint.traffic;
        let (mut messages, written) = match outgoing {
            Outgoing::One(message) => {
                traffic.sent_body(message.len());
                return receive.await;
            }
            Outgoing::Many(messages, written) => (messages, written),
        };
        let send = async {
            while let Some(message) = messages.recv().await {
                let bytes = message.len();
                if stream.send_data(message, false).is_err() {
                    // The answer tells why.
                    return;
                }
                traffic.sent_body(bytes);
                written();
            }
            let _ = stream.send_data(Bytes::new(), true);
        };
        // In this order, so that what is sent is written when the answer is waited for.
        match select(pin!(send), pin!(receive)).await {
            Either::Left(((), receive)) => receive.await,
            Either::Right((ending, _)) => ending,
        }
    }

    async fn ending(&self, answer: ResponseFuture, turn: Turn, incoming: Incoming<'_>) -> Ending {
        let mut ending = Ending::default();
        let result = self.receive(answer, &turn, incoming, &mut ending).await;
        ending.status = result.unwrap_or_else(|status| status);
        ending
    }

    async fn receive(
        &self,
        answer: ResponseFuture,
        turn: &Turn,
        incoming: Incoming<'_>,
        ending: &mut Ending,
    ) -> Result<Status, Status> {
        let answer = turn.until(answer).await?;
        let (head, mut body) = answer.map_err(|error| status_of(&error))?.into_parts();
        if let Some(status) = Status::in_trailers(&head.headers) {
            // An answer without a message has its status in the head.
            ending.trailers = head.headers;
            return Ok(status);
        }
        ending.headers = head.headers;
        check_head(head.status, &ending.headers)?;
        let mut frames = Frames::new(self.endpoint.most_received, only_messages);
        let mut take = |_, message| incoming.message(message);
        while let Some(piece) = next_piece(turn, &mut body).await? {
            self.endpoint.traffic.received_body(piece.len());
            frames.push(piece, &mut take)?;
        }
        let trailers = turn.until(body.trailers()).await?;
        ending.trailers = trailers
            .map_err(|error| status_of(&error))?
            .unwrap_or_default();
        let status = Status::in_trailers(&ending.trailers)
            .ok_or_else(|| Status::internal("server closed the stream without sending trailers"))?;
        if status.is_ok() {
            frames.finish()?;
        }
        Ok(status)
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
            let exchange = self.exchange(call, outgoing, incoming);
            // Nobody lives to see a deadline that the clock has no name for.
            let deadline = call
                .timeout
                .and_then(|limit| Instant::now().checked_add(limit.duration));
            let Some(deadline) = deadline else {
                return exchange.await;
            };
            // Pinned, as it is too large to be moved for nothing.
            let exchange = pin!(exchange);
            if let Some(ending) = self.alarms.before(deadline, exchange).await {
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

/// Whether a call can be sent now. A sender that has sent nothing yet need not wait for that.
async fn takes_calls(sender: &mut SendRequest<Bytes>) -> bool {
    let is_ready = poll_fn(|cx| Poll::Ready(sender.poll_ready(cx))).await;
    matches!(is_ready, Poll::Ready(Ok(())))
}

/// What calls of a closed connection end with.
pub(super) fn closing() -> Status {
    Status::canceled("grpc: the client connection is closing")
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

pub(super) async fn next_piece(
    turn: &Turn,
    body: &mut RecvStream,
) -> Result<Option<Bytes>, Status> {
    let Some(piece) = turn.until(body.data()).await? else {
        return Ok(None);
    };
    let piece = piece.map_err(|error| status_of(&error))?;
    let released = body.flow_control().release_capacity(piece.len());
    released.map_err(|error| status_of(&error))?;
    Ok(Some(piece))
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
