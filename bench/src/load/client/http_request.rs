//! Operations of one HTTP/1.1 request.

use std::rc::Rc;

use super::Client;
use crate::load::{
    failure::{Fault, OperationError},
    wire::{Endpoint, HttpAnswer, HttpConnection, HttpRequest},
};

/// Sends the same request again and again over one connection.
#[derive(Debug)]
pub(in crate::load) struct HttpOperation {
    connection: HttpConnection,
    request: HttpRequest,
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
            request,
            check,
        }
    }
}

impl Client for HttpOperation {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer = self.connection.exchange(&self.request).await?;
        checked(&self.request, (self.check)(&answer))
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(self) {
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
