//! Operations of one unary gRPC call.

use std::rc::Rc;

use http::Uri;
use prost::Message;

use super::Client;
use crate::load::{
    failure::{Fault, OperationError},
    wire::{Endpoint, GrpcMethod, Http2Connection},
};

/// Encodes and sends the message `Q` again and again over one connection and decodes each `A`.
#[derive(Debug)]
pub(in crate::load) struct GrpcCall<Q, A> {
    connection: Http2Connection,
    method: GrpcMethod,
    message: Q,
    check: fn(&A) -> Result<(), Fault>,
}

impl<Q, A> GrpcCall<Q, A> {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        uri: Uri,
        message: Q,
        check: fn(&A) -> Result<(), Fault>,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
            message,
            check,
        }
    }
}

impl<Q: Message, A: Message + Default> Client for GrpcCall<Q, A> {
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        let answer = self.connection.call(&self.method, &self.message).await?;
        (self.check)(&answer).map_err(|fault| OperationError::Answer {
            request: self.method.name(),
            fault,
        })
    }

    fn reset(&mut self) {
        self.connection.reset();
    }

    async fn close(&mut self) {
        self.connection.close().await;
    }
}
