//! Operations of one call that is made several times, one after the other.

use std::{marker::PhantomData, rc::Rc};

use http::{HeaderValue, Uri};
use prost::Message;

use super::{Client, http_request::checked};
use crate::load::{
    failure::{Fault, OperationError},
    wire::{Endpoint, GrpcMethod, Http2Connection, HttpAnswer, HttpConnection, HttpRequest},
};

/// A connection over which one request after the other is sent, in either version of HTTP.
pub(in crate::load) trait Exchange {
    fn new(endpoint: &Rc<Endpoint>) -> Self;
    async fn open(&mut self) -> Result<(), OperationError>;
    async fn exchange(&mut self, request: &HttpRequest) -> Result<HttpAnswer, OperationError>;
    fn reset(&mut self);
    async fn close(&mut self);
}

impl Exchange for HttpConnection {
    fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self::new(endpoint)
    }

    async fn open(&mut self) -> Result<(), OperationError> {
        self.open().await
    }

    async fn exchange(&mut self, request: &HttpRequest) -> Result<HttpAnswer, OperationError> {
        self.exchange(request).await
    }

    fn reset(&mut self) {
        self.reset();
    }

    async fn close(&mut self) {
        self.close().await;
    }
}

impl Exchange for Http2Connection {
    fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self::new(endpoint)
    }

    async fn open(&mut self) -> Result<(), OperationError> {
        self.open().await
    }

    async fn exchange(&mut self, request: &HttpRequest) -> Result<HttpAnswer, OperationError> {
        self.send(request).await
    }

    fn reset(&mut self) {
        self.reset();
    }

    async fn close(&mut self) {
        self.close().await;
    }
}

/// Makes, sends and checks the request so many times over one connection.
#[derive(Debug)]
pub(in crate::load) struct HttpRepeated<H, R, C> {
    connection: H,
    host: HeaderValue,
    /// Called for each request: encoding its body is a part of the call.
    request: R,
    check: C,
    calls: u32,
}

impl<H: Exchange, R, C> HttpRepeated<H, R, C> {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        host: &HeaderValue,
        request: R,
        check: C,
        calls: u32,
    ) -> Self {
        Self {
            connection: H::new(endpoint),
            host: host.clone(),
            request,
            check,
            calls,
        }
    }
}

impl<H, R, C> Client for HttpRepeated<H, R, C>
where
    H: Exchange,
    R: Fn(&HeaderValue) -> HttpRequest,
    C: Fn(&HttpAnswer) -> Result<(), Fault>,
{
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            let request = (self.request)(&self.host);
            let answer = self.connection.exchange(&request).await?;
            checked(&request, (self.check)(&answer))?;
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

/// Encodes and sends the message `Q` so many times over one connection and decodes each `A`.
#[derive(Debug)]
pub(in crate::load) struct GrpcRepeated<Q, A, C> {
    connection: Http2Connection,
    method: GrpcMethod,
    message: Rc<Q>,
    check: C,
    calls: u32,
    answer: PhantomData<A>,
}

impl<Q, A, C> GrpcRepeated<Q, A, C> {
    pub(in crate::load) fn new(
        endpoint: &Rc<Endpoint>,
        uri: Uri,
        message: Rc<Q>,
        check: C,
        calls: u32,
    ) -> Self {
        Self {
            connection: Http2Connection::new(endpoint),
            method: GrpcMethod::new(uri),
            message,
            check,
            calls,
            answer: PhantomData,
        }
    }
}

impl<Q, A, C> Client for GrpcRepeated<Q, A, C>
where
    Q: Message,
    A: Message + Default,
    C: Fn(&A) -> Result<(), Fault>,
{
    async fn open(&mut self) -> Result<(), OperationError> {
        self.connection.open().await
    }

    async fn operate(&mut self) -> Result<(), OperationError> {
        for _ in 0..self.calls {
            let message = &*self.message;
            let answer: A = self.connection.call(&self.method, message).await?;
            (self.check)(&answer).map_err(|fault| OperationError::Answer {
                request: self.method.name(),
                fault,
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
