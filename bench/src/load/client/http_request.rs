//! Operations of one HTTP/1.1 request.

use std::rc::Rc;

use super::{Client, resource::Resource};
use crate::load::{
    failure::{Fault, OperationError},
    wire::{Endpoint, HttpAnswer, HttpConnection, HttpRequest},
};

/// Sends the same request again and again over one connection.
#[derive(Debug)]
pub(in crate::load) struct HttpOperation {
    connection: HttpConnection,
    resource: Resource,
    check: fn(&HttpAnswer) -> Result<(), Fault>,
}

impl HttpOperation {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        check: fn(&HttpAnswer) -> Result<(), Fault>,
    ) -> Self {
        Self {
            connection: HttpConnection::new(endpoint),
            resource: Resource::new(request),
            check,
        }
    }

    /// The same with a cache.
    pub(in crate::load) fn cached(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        check: fn(&HttpAnswer) -> Result<(), Fault>,
    ) -> Self {
        Self {
            connection: HttpConnection::new(endpoint),
            resource: Resource::cached(request),
            check,
        }
    }
}

impl Client for HttpOperation {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer = self.resource.get(&mut self.connection).await?;
        checked(self.resource.request(), (self.check)(&answer))
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}

/// Says which request had the wrong answer.
pub(super) fn checked<T>(
    request: &HttpRequest,
    result: Result<T, Fault>,
) -> Result<T, OperationError> {
    result.map_err(|fault| OperationError::Answer {
        request: request.name(),
        fault,
    })
}
