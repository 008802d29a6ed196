//! HTTP/1.1 connections of one client: one for each call under way, kept for the next.

use std::{cell::RefCell, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use http::Method;
use measure::{Closing, CountingStream, Traffic};

use crate::{
    http1::{self, ExchangeError, Head, Request},
    module::grpc::status::Status,
};

/// Longest wait for the peer at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

/// The idle connections to one address.
pub(super) struct Http1 {
    address: String,
    traffic: Arc<Traffic>,
    idle: RefCell<Vec<Connection>>,
}

impl Http1 {
    pub(super) fn new(address: String, traffic: Arc<Traffic>) -> Self {
        Self {
            address,
            traffic,
            idle: RefCell::default(),
        }
    }

    /// Opens a connection for the first call.
    pub(super) async fn connect(&self) -> Result<(), Status> {
        let connection = self.open().await?;
        self.idle.borrow_mut().push(connection);
        Ok(())
    }

    async fn open(&self) -> Result<Connection, Status> {
        let address = &self.address;
        let failed = |error: &dyn std::fmt::Display| {
            Status::unavailable(format!("couldn't connect to {address:?}: {error}"))
        };
        let resolved = tokio::net::lookup_host(address).await;
        let addresses: Vec<SocketAddr> = resolved.map_err(|error| failed(&error))?.collect();
        let (stream, closing) = CountingStream::connect(&addresses, &self.traffic)
            .await
            .map_err(|error| failed(&error))?;
        Ok(Connection {
            inner: http1::Connection::new(stream),
            closing,
            is_reused: false,
        })
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
    inner: http1::Connection<CountingStream>,
    closing: Closing,
    is_reused: bool,
}

impl Connection {
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

fn broken(error: &ExchangeError) -> Status {
    Status::unavailable(format!("the connection broke: {error}"))
}
