//! Operations of one plain request over HTTP/2.

use std::rc::Rc;

use super::{Client, http_request::checked};
use crate::load::{
    failure::{Fault, OperationError},
    wire::{Endpoint, Http2Connection, HttpAnswer, HttpRequest},
};

/// Sends the same request again and again over one HTTP/2 connection.
#[derive(Debug)]
pub(in crate::load) struct Http2Operation {
    connection: Http2Connection,
    request: HttpRequest,
    check: fn(&HttpAnswer) -> Result<(), Fault>,
}

impl Http2Operation {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        request: HttpRequest,
        check: fn(&HttpAnswer) -> Result<(), Fault>,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            request,
            check,
        }
    }
}

impl Client for Http2Operation {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer = self.connection.send(&self.request).await?;
        checked(&self.request, (self.check)(&answer))
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}
