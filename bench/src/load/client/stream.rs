//! Operations of streams that are read one after the other.

use std::{marker::PhantomData, rc::Rc, time::Instant};

use bytes::Bytes;
use http::Uri;
use prost::Message;

use super::{Client, http_request::checked};
use crate::load::{
    failure::OperationError,
    style::{
        events::{EventAnswer, EventCount, subscription},
        stream::{Format, Items, StreamReader},
    },
    wire::{
        Endpoint, GrpcMethod, Http2Connection, HttpConnection, HttpRequest, WebSocketConnection,
    },
};

/// Reads a stream over HTTP/1.1 so many times.
#[derive(Debug)]
pub(in crate::load) struct HttpStream<I> {
    endpoint: Rc<Endpoint>,
    connection: HttpConnection,
    request: HttpRequest,
    format: Format,
    calls: u32,
    items: PhantomData<I>,
}

impl<I> HttpStream<I> {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        format: Format,
        calls: u32,
    ) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            connection: HttpConnection::new(endpoint),
            request,
            format,
            calls,
            items: PhantomData,
        }
    }
}

impl<I: Items> HttpStream<I> {
    async fn read(&mut self) -> Result<(), OperationError> {
        let mut arrivals = Arrivals::begin();
        let mut reader = StreamReader::<I>::new(self.format);
        let take = |piece| arrivals.take(&mut reader, &piece);
        let (status, headers) = self.connection.receive(&self.request, take).await?;
        checked(&self.request, reader.check(status, &headers))?;
        arrivals.end(&self.endpoint);
        Ok(())
    }
}

impl<I: Items> Client for HttpStream<I> {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            self.read().await?;
        }
        Ok(())
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Encodes and sends the message `Q` so many times and reads the stream that answers it.
#[derive(Debug)]
pub(in crate::load) struct GrpcStream<Q, I> {
    endpoint: Rc<Endpoint>,
    connection: Http2Connection,
    method: GrpcMethod,
    message: Q,
    calls: u32,
    items: PhantomData<I>,
}

impl<Q, I> GrpcStream<Q, I> {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>, uri: Uri, message: Q, calls: u32) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
            message,
            calls,
            items: PhantomData,
        }
    }
}

impl<Q: Message, I: Items> GrpcStream<Q, I> {
    async fn read(&mut self) -> Result<(), OperationError> {
        let mut arrivals = Arrivals::begin();
        let mut reader = StreamReader::<I>::new(Format::Grpc);
        let take = |piece| arrivals.take(&mut reader, &piece);
        let received = self.connection.receive(&self.method, &self.message, take);
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
}

impl<Q: Message, I: Items> Client for GrpcStream<Q, I> {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            self.read().await?;
        }
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

/// When the first item of a stream was there.
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

    /// Takes a piece of the body in; `false` when it goes on and on.
    fn take<I: Items>(&mut self, reader: &mut StreamReader<I>, piece: &Bytes) -> bool {
        let goes_on = reader.push(piece);
        self.seen(reader.seen());
        goes_on
    }

    /// So many items are there.
    fn seen(&mut self, items: usize) {
        if items > 0 && self.first.is_none() {
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
