//! Calls that the caller gives up. It says goodbye to nobody: neither is a stream reset nor a connection
//! closed while work is under way, as behind a gateway or a pool that reads on, or with a network that is
//! gone. What ends the work then is a deadline that was passed on, or nothing.

use std::{
    collections::VecDeque,
    rc::Rc,
    time::{Duration, Instant},
};

use http::Uri;
use tokio::time::timeout;

use super::{Client, http_request::checked};
use crate::load::{
    failure::{Fault, OperationError},
    style::work,
    wire::{Endpoint, GrpcMethod, Http2Connection, HttpConnection, HttpRequest},
};

/// How long a connection is kept after its caller gave up: the work on it is over by then.
const KEPT: Duration = Duration::from_secs(1);

/// Gives up calls with a deadline.
#[derive(Debug)]
pub(in crate::load) struct GrpcGivenUp {
    connection: Http2Connection,
    method: GrpcMethod,
    patience: Duration,
}

impl GrpcGivenUp {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>, uri: Uri, patience: Duration) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri).with_timeout(patience),
            patience,
        }
    }
}

impl Client for GrpcGivenUp {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let message = work::message();
        let call = self.connection.receive(&self.method, &message, |_| true);
        match timeout(self.patience, call).await {
            Err(_) => Ok(()),
            Ok(Err(error)) => Err(error),
            // The server's clock may be the first to say that the time is over.
            Ok(Ok((_, trailers))) if is_deadline_exceeded(&trailers) => Ok(()),
            Ok(Ok(_)) => Err(OperationError::Answer {
                request: self.method.name(),
                fault: answered(),
            }),
        }
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

fn is_deadline_exceeded(trailers: &http::HeaderMap) -> bool {
    trailers
        .get("grpc-status")
        .is_some_and(|status| status == "4")
}

/// Gives up requests, each on a connection of its own.
#[derive(Debug)]
pub(in crate::load) struct HttpGivenUp {
    endpoint: Rc<Endpoint>,
    request: HttpRequest,
    patience: Duration,
    connection: HttpConnection,
    given_up: VecDeque<(Instant, HttpConnection)>,
}

impl HttpGivenUp {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        patience: Duration,
    ) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            request,
            patience,
            connection: HttpConnection::new(endpoint),
            given_up: VecDeque::new(),
        }
    }

    /// Keeps the connection for as long as something may be under way on it.
    fn give_up(&mut self) {
        let next = HttpConnection::new(&self.endpoint);
        let connection = std::mem::replace(&mut self.connection, next);
        let now = Instant::now();
        self.given_up.push_back((now, connection));
        while self
            .given_up
            .front()
            .is_some_and(|(since, _)| now.duration_since(*since) > KEPT)
        {
            self.given_up.pop_front();
        }
    }
}

impl Client for HttpGivenUp {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let exchange = self.connection.exchange(&self.request);
        match timeout(self.patience, exchange).await {
            Err(_) => {
                self.give_up();
                Ok(())
            }
            Ok(Err(error)) => Err(error),
            Ok(Ok(_)) => checked(&self.request, Err(answered())),
        }
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.given_up.clear();
        self.connection.close().await;
    }
}

fn answered() -> Fault {
    Fault::Framing("an answer came before the caller gave up".to_owned())
}
