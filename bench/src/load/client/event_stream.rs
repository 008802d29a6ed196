//! Operations of one stream of events each.

use std::{rc::Rc, time::Instant};

use http::Uri;

use super::{Client, http_request::checked};
use crate::load::{
    failure::OperationError,
    style::events::{EventAnswer, EventCount, EventReader, Format, subscription, watch_request},
    wire::{
        Endpoint, GrpcMethod, Http2Connection, HttpConnection, HttpRequest, WebSocketConnection,
    },
};

/// Reads a stream over HTTP/1.1 again and again.
#[derive(Debug)]
pub(in crate::load) struct HttpEvents {
    endpoint: Rc<Endpoint>,
    connection: HttpConnection,
    request: HttpRequest,
    format: Format,
}

impl HttpEvents {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        format: Format,
    ) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            connection: HttpConnection::new(endpoint),
            request,
            format,
        }
    }
}

impl Client for HttpEvents {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let mut arrivals = Arrivals::begin();
        let mut reader = EventReader::new(self.format);
        let take = |piece| {
            let goes_on = reader.push(&piece);
            arrivals.seen(reader.seen());
            goes_on
        };
        let (status, headers) = self.connection.receive(&self.request, take).await?;
        checked(&self.request, reader.check(status, &headers))?;
        arrivals.end(&self.endpoint);
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Reads a gRPC server stream again and again.
#[derive(Debug)]
pub(in crate::load) struct GrpcEvents {
    endpoint: Rc<Endpoint>,
    connection: Http2Connection,
    method: GrpcMethod,
}

impl GrpcEvents {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>, uri: Uri) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
        }
    }
}

impl Client for GrpcEvents {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let mut arrivals = Arrivals::begin();
        let mut reader = EventReader::new(Format::Grpc);
        let take = |piece| {
            let goes_on = reader.push(&piece);
            arrivals.seen(reader.seen());
            goes_on
        };
        let message = watch_request();
        let received = self.connection.receive(&self.method, &message, take);
        let (status, trailers) = received.await?;
        reader
            .check(status, &trailers)
            .map_err(|fault| OperationError::Answer {
                request: self.method.name(),
                fault,
            })?;
        arrivals.end(&self.endpoint);
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Subscribes over a WebSocket again and again.
#[derive(Debug)]
pub(in crate::load) struct WebSocketEvents {
    endpoint: Rc<Endpoint>,
    connection: WebSocketConnection,
}

impl WebSocketEvents {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            connection: WebSocketConnection::new(endpoint),
        }
    }
}

impl Client for WebSocketEvents {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let mut arrivals = Arrivals::begin();
        let mut count = EventCount::default();
        let take = |payload: &str| {
            count.answer(&EventAnswer::parse(payload.as_bytes())?)?;
            arrivals.seen(count.seen());
            Ok(())
        };
        let outcome = self.connection.subscribe(subscription(), take).await?;
        outcome
            .and_then(|()| count.check())
            .map_err(|fault| OperationError::Answer {
                request: "subscription over a WebSocket".to_owned(),
                fault,
            })?;
        arrivals.end(&self.endpoint);
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// When the first event of a stream was there.
struct Arrivals {
    begun: Instant,
    first: Option<Instant>,
}

impl Arrivals {
    fn begin() -> Self {
        Self {
            begun: Instant::now(),
            first: None,
        }
    }

    /// So many events are there.
    fn seen(&mut self, events: u32) {
        if events > 0 && self.first.is_none() {
            self.first = Some(Instant::now());
        }
    }

    /// The stream was as it should be.
    fn end(self, endpoint: &Endpoint) {
        if let Some(first) = self.first {
            endpoint.tally.first_event(first - self.begun);
        }
    }
}
