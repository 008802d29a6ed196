//! Calls over HTTP connections.

use std::{
    cell::{Cell, OnceCell},
    future::ready,
    pin::pin,
    rc::Rc,
    time::Instant,
};

use bytes::Bytes;
use futures_util::{
    FutureExt,
    future::{Either, LocalBoxFuture, select},
};
use http::{HeaderMap, StatusCode};
use tokio::{sync::Notify, time::timeout};

use super::{
    answer::Answer,
    http1::{Http1, connected},
    request::{HttpVersion, Requests, WebSettings},
};
use crate::module::grpc::{
    status::Status,
    transport::{
        Call, Ending, Endpoint, Http2, Incoming, Outgoing, Transport,
        failure::status_of,
        http2::{RequestHead, next_piece},
    },
};

/// Calls to one server in gRPC-Web.
pub(crate) struct Web {
    endpoint: Endpoint,
    settings: WebSettings,
    /// How calls go, once that is settled with the server.
    way: OnceCell<Way>,
    closed: Cell<bool>,
    /// Tells the calls under way that it is closed.
    closing: Notify,
}

/// What requests look like, and the connections that carry them.
struct Way {
    requests: Requests,
    carrier: Carrier,
}

/// The connections underneath.
enum Carrier {
    Http1(Http1),
    /// Its calls are its own; here only its connection serves.
    Http2(Box<Http2>),
}

impl Web {
    /// Connections that are not open yet.
    pub(crate) fn new(endpoint: Endpoint, settings: WebSettings) -> Self {
        Self {
            endpoint,
            settings,
            way: OnceCell::new(),
            closed: Cell::default(),
            closing: Notify::new(),
        }
    }

    /// Opens the first connection, and settles how calls go.
    async fn open(&self) -> Result<(), Status> {
        let (socket, closing) = connected(&self.endpoint).await?;
        let is_http2 = match self.settings.version {
            HttpVersion::Http1 => false,
            HttpVersion::Http2 => true,
            HttpVersion::Auto => self.endpoint.tls.is_some() && socket.allows_http2(),
        };
        let endpoint = self.endpoint.clone();
        let way = Way {
            requests: Requests::new(self.settings.clone(), &endpoint, is_http2),
            carrier: if is_http2 {
                let http2 = Box::new(Http2::new(endpoint));
                http2.adopt(socket, closing).await?;
                Carrier::Http2(http2)
            } else {
                let http1 = Http1::new(endpoint);
                http1.adopt(socket, closing);
                Carrier::Http1(http1)
            },
        };
        // It is opened once.
        let _ = self.way.set(way);
        Ok(())
    }

    async fn exchange(&self, call: &Call, outgoing: Outgoing, incoming: Incoming<'_>) -> Ending {
        let message = match outgoing {
            Outgoing::One(message) => message,
            Outgoing::Many(mut messages, written) => match messages.recv().await {
                Some(message) => {
                    written();
                    message
                }
                None => return Ending::of(Status::internal(NOTHING_WRITTEN)),
            },
        };
        let Some(Way { requests, carrier }) = self.way.get() else {
            return Ending::of(closed());
        };
        let ending = match requests.body(message) {
            Err(status) => Err(status),
            Ok(body) => match carrier {
                Carrier::Http1(http1) => {
                    self.over_http1(requests, http1, call, body, incoming).await
                }
                Carrier::Http2(http2) => {
                    self.over_http2(requests, http2, call, body, incoming).await
                }
            },
        };
        ending.unwrap_or_else(Ending::of)
    }

    async fn over_http1(
        &self,
        requests: &Requests,
        http1: &Http1,
        call: &Call,
        body: Bytes,
        incoming: Incoming<'_>,
    ) -> Result<Ending, Status> {
        let head = requests.http1(call, body.len())?;
        let (head, mut connection) = http1.send(&head, &body).await?;
        self.endpoint.traffic.sent_body(body.len());
        let status = StatusCode::from_u16(head.status).map_err(|error| {
            Status::internal(format!("the server's status {}: {error}", head.status))
        })?;
        let mut answer = self.begin(status, head.fields().headers, incoming);
        let read = async {
            while let Some(piece) = connection.piece().await? {
                self.endpoint.traffic.received_body(piece.len());
                answer.push(piece, incoming)?;
            }
            answer.end(incoming)
        };
        let read = read.await;
        if read.is_ok() && !self.closed.get() {
            http1.give_back(connection).await;
        }
        Ok(answer.finish(read))
    }

    async fn over_http2(
        &self,
        requests: &Requests,
        http2: &Http2,
        call: &Call,
        body: Bytes,
        incoming: Incoming<'_>,
    ) -> Result<Ending, Status> {
        let path = requests.path(call)?;
        let headers = requests.http2(call);
        let head = RequestHead {
            path: path.as_str(),
            headers: &HeaderMap::new(),
            timeout: None,
            own: &headers,
        };
        let exchange = http2.begin(Instant::now(), &head).await?;
        self.endpoint.traffic.sent_body(body.len());
        exchange.send(body, true);
        let head = exchange.head().await;
        let head = head.map_err(|failure| status_of(&failure))?;
        let headers = Rc::unwrap_or_clone(head.headers);
        let mut answer = self.begin(head.status.unwrap_or_default(), headers, incoming);
        let read = async {
            while let Some(piece) = next_piece(&exchange).await? {
                self.endpoint.traffic.received_body(piece.len());
                answer.push(piece, incoming)?;
            }
            answer.end(incoming)
        };
        let read = read.await;
        if read.is_err() {
            drop(exchange);
            http2.drive_once().await;
        }
        Ok(answer.finish(read))
    }

    fn begin(&self, status: StatusCode, headers: HeaderMap, incoming: Incoming<'_>) -> Answer {
        let answer = Answer::new(status, headers, self.endpoint.most_received);
        if let Some(metadata) = answer.early_metadata() {
            incoming.headers(&metadata);
        }
        answer
    }

    fn carrier(&self) -> Option<&Carrier> {
        self.way.get().map(|way| &way.carrier)
    }

    async fn until_closed(
        &self,
        call: &Call,
        outgoing: Outgoing,
        incoming: Incoming<'_>,
    ) -> Ending {
        let closing = pin!(self.closing.notified());
        if self.closed.get() {
            return Ending::of(closed());
        }
        let exchange = pin!(self.exchange(call, outgoing, incoming));
        match select(exchange, closing).await {
            Either::Left((ending, _)) => ending,
            Either::Right(_) => Ending::of(closed()),
        }
    }
}

impl Transport for Web {
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
            let exchange = self.until_closed(call, outgoing, incoming);
            let Some(limit) = call.timeout else {
                return exchange.await;
            };
            let late = || Ending::of(Status::deadline_exceeded("the call's deadline has passed"));
            if limit.duration.is_zero() {
                return late();
            }
            if let Ok(ending) = timeout(limit.duration, exchange).await {
                return ending;
            }
            if let Some(Carrier::Http2(http2)) = self.carrier() {
                http2.drive_once().await;
            }
            late()
        }
        .boxed_local()
    }

    fn close(&self) -> LocalBoxFuture<'_, ()> {
        self.closed.set(true);
        self.closing.notify_waiters();
        match self.carrier() {
            Some(Carrier::Http1(http1)) => http1.close().boxed_local(),
            Some(Carrier::Http2(http2)) => http2.close(),
            None => ready(()).boxed_local(),
        }
    }
}

/// What a stream without a request ends with.
pub(crate) const NOTHING_WRITTEN: &str = "the stream ended before its request was written";

/// What calls of a closed client end with.
fn closed() -> Status {
    Status::canceled("canceled by client (k6)")
}
