//! Operations of lists of as many landings as are asked for.

use std::rc::Rc;

use bookstore_proto::meteorite_landings::FirstRequest;
use http::{HeaderValue, Uri};

use super::{Client, http_request::checked};
use crate::load::{
    failure::OperationError,
    style::landing,
    wire::{Endpoint, GrpcMethod, Http2Connection, HttpConnection, HttpRequest},
};

/// Asks REST for the list so many times over one connection.
#[derive(Debug)]
pub(in crate::load) struct HttpFirst {
    connection: HttpConnection,
    request: HttpRequest,
    records: u32,
    calls: u32,
}

impl HttpFirst {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        records: u32,
        calls: u32,
    ) -> Self {
        Self {
            connection: HttpConnection::new(endpoint),
            request: landing::first(host, records),
            records,
            calls,
        }
    }
}

impl Client for HttpFirst {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            let answer = self.connection.exchange(&self.request).await?;
            checked(&self.request, landing::check_first(&answer, self.records))?;
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

/// Asks gRPC for the list so many times over one connection.
#[derive(Debug)]
pub(in crate::load) struct GrpcFirst {
    connection: Http2Connection,
    method: GrpcMethod,
    message: FirstRequest,
    calls: u32,
}

impl GrpcFirst {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        uri: Uri,
        records: u32,
        calls: u32,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
            message: FirstRequest { records },
            calls,
        }
    }
}

impl Client for GrpcFirst {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            let answer = self.connection.call(&self.method, &self.message).await?;
            landing::check_first_message(&answer, self.message.records).map_err(|fault| {
                OperationError::Answer {
                    request: self.method.name(),
                    fault,
                }
            })?;
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
