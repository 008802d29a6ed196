//! HTTP/1.1 connections of one client: one for each call under way, kept for the next.

use std::{cell::RefCell, time::Duration};

use bytes::Bytes;
use http::Method;
use measure::Closing;

use crate::{
    http1::{self, ExchangeError, Head, Request},
    module::grpc::{
        status::Status,
        transport::{Endpoint, socket::Socket},
    },
};

/// Longest wait for the peer at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// The idle connections to one address.
pub(super) struct Http1 {
    endpoint: Endpoint,
    idle: RefCell<Vec<Connection>>,
}

impl Http1 {
    pub(super) fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            idle: RefCell::default(),
        }
    }

    /// Takes over a connected socket, for the first call.
    pub(super) fn adopt(&self, socket: Socket, closing: Closing) {
        let connection = Connection::new(socket, closing);
        self.idle.borrow_mut().push(connection);
    }

    async fn open(&self) -> Result<Connection, Status> {
        let (socket, closing) = connected(&self.endpoint).await?;
        Ok(Connection::new(socket, closing))
    }

    /// Sends a request and reads the head of the answer. One that an idle connection did not take,
    /// because the server had closed it, goes over another one.
    pub(super) async fn send(
        &self,
        head: &[u8],
        body: &Bytes,
    ) -> Result<(Head, Connection), Status> {
        let request = Request {
            method: &Method::POST,
            head,
            body,
            closes: false,
        };
        loop {
            let mut connection = self.connection().await?;
            match connection.inner.send(&request).await {
                Ok(head) => return Ok((head, connection)),
                Err(error) if connection.has_refused(&error) => {}
                Err(error) => return Err(broken(&error)),
            }
        }
    }

    /// An idle connection that is open, or a new one.
    async fn connection(&self) -> Result<Connection, Status> {
        loop {
            let idle = self.idle.borrow_mut().pop();
            let Some(mut connection) = idle else {
                return self.open().await;
            };
            if connection.inner.is_open().await {
                connection.is_reused = true;
                return Ok(connection);
            }
        }
    }

    /// Keeps a connection whose answer was read to its end, if the server does.
    pub(super) async fn give_back(&self, mut connection: Connection) {
        if connection.inner.is_reusable() && connection.inner.is_open().await {
            self.idle.borrow_mut().push(connection);
        }
    }

    /// Closes the idle connections.
    pub(super) async fn close(&self) {
        let idle = self.idle.take();
        for connection in idle {
            connection.close().await;
        }
    }
}

/// An open connection.
pub(super) struct Connection {
    inner: http1::Connection<Socket>,
    closing: Closing,
    is_reused: bool,
}

impl Connection {
    fn new(socket: Socket, closing: Closing) -> Self {
        Self {
            inner: http1::Connection::new(socket),
            closing,
            is_reused: false,
        }
    }

    /// The next piece of an answer.
    pub(super) async fn piece(&mut self) -> Result<Option<Bytes>, Status> {
        let piece = self.inner.piece().await;
        piece.map_err(|error| broken(&error))
    }

    /// Whether nothing of the request was sent, as the server had closed the connection before.
    fn has_refused(&self, error: &ExchangeError) -> bool {
        self.is_reused && error.is_closed() && self.inner.times().last_write.is_none()
    }

    async fn close(self) {
        drop(self.inner);
        self.closing.close(CLOSE_LIMIT).await;
    }
}

/// A connected socket.
pub(super) async fn connected(endpoint: &Endpoint) -> Result<(Socket, Closing), Status> {
    let dialed = endpoint.dial().await;
    dialed.map_err(|error| {
        let address = &endpoint.address;
        Status::unavailable(format!("couldn't connect to {address:?}: {error}"))
    })
}

fn broken(error: &ExchangeError) -> Status {
    Status::unavailable(format!("the connection broke: {error}"))
}
