//! HTTP/1.1 connections of one client: one for each call under way, kept for the next.

use std::{
    cell::RefCell,
    future::{Future, poll_fn},
    net::SocketAddr,
    pin::{Pin, pin},
    sync::Arc,
    task::Poll,
    time::Duration,
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::Incoming,
    client::conn::http1::{self, SendRequest},
};
use hyper_util::rt::TokioIo;
use measure::{Closing, CountingStream, Traffic};

use crate::module::grpc::status::Status;

/// Longest wait for the peer at the end.
const CLOSE_LIMIT: Duration = Duration::from_secs(1);

type Driver = http1::Connection<TokioIo<CountingStream>, Full<Bytes>>;

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
        let (sender, driver) = http1::Builder::new()
            .title_case_headers(true)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| failed(&error))?;
        Ok(Connection {
            sender,
            driver: Some(driver),
            closing,
        })
    }

    /// Sends a request. One that an idle connection did not take, because the server had closed
    /// it, goes over another one.
    pub(super) async fn send(
        &self,
        mut request: Request<Full<Bytes>>,
    ) -> Result<(Response<Incoming>, Connection), Status> {
        loop {
            let idle = self.idle.borrow_mut().pop();
            let is_reused = idle.is_some();
            let mut connection = match idle {
                Some(mut connection) => {
                    if !connection.is_open().await {
                        continue;
                    }
                    connection
                }
                None => self.open().await?,
            };
            match connection.send(request).await {
                Ok(response) => return Ok((response, connection)),
                Err((Some(unsent), _)) if is_reused => request = unsent,
                Err((_, error)) => return Err(broken(&error)),
            }
        }
    }

    /// Keeps a connection whose answer was read to its end, if the server does.
    pub(super) async fn give_back(&self, mut connection: Connection) {
        if connection.is_open().await {
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

/// An open connection, which moves while somebody waits for it.
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    driver: Option<Driver>,
    closing: Closing,
}

impl Connection {
    /// Looks at the socket: false when the server has closed it.
    async fn is_open(&mut self) -> bool {
        let driver = &mut self.driver;
        poll_fn(|cx| {
            if let Some(running) = driver
                && Pin::new(running).poll(cx).is_ready()
            {
                *driver = None;
            }
            Poll::Ready(())
        })
        .await;
        self.driver.is_some()
    }

    /// The error comes with the request when nothing of it was sent.
    async fn send(
        &mut self,
        request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, (Option<Request<Full<Bytes>>>, hyper::Error)> {
        let Self { sender, driver, .. } = self;
        let ready = until(driver, sender.ready()).await;
        if let Err(error) = ready {
            return Err((Some(request), error));
        }
        let sent = until(driver, sender.try_send_request(request)).await;
        sent.map_err(|mut error| (error.take_message(), error.into_error()))
    }

    /// The next piece of an answer.
    pub(super) async fn piece(&mut self, body: &mut Incoming) -> Result<Option<Bytes>, Status> {
        loop {
            match until(&mut self.driver, body.frame()).await {
                None => return Ok(None),
                Some(Err(error)) => return Err(broken(&error)),
                Some(Ok(frame)) => {
                    // HTTP trailers mean nothing in gRPC-Web.
                    if let Ok(piece) = frame.into_data() {
                        return Ok(Some(piece));
                    }
                }
            }
        }
    }

    async fn close(self) {
        drop((self.sender, self.driver));
        self.closing.close(CLOSE_LIMIT).await;
    }
}

fn broken(error: &hyper::Error) -> Status {
    Status::unavailable(format!("the connection broke: {error}"))
}

/// Waits for a future that waits for the connection.
async fn until<F: Future>(driver: &mut Option<Driver>, future: F) -> F::Output {
    let mut future = pin!(future);
    poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(output);
        }
        if let Some(running) = driver
            && Pin::new(running).poll(cx).is_ready()
        {
            // Why it ended comes out of the future.
            *driver = None;
        }
        future.as_mut().poll(cx)
    })
    .await
}
