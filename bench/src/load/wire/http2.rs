//! One HTTP/2 connection, with unary gRPC calls or plain requests.

use std::{future::poll_fn, rc::Rc, time::Duration};

use bytes::{Bytes, BytesMut};
use h2::{
    RecvStream,
    client::{Connection, SendRequest},
};
use http::{
    HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, Version,
    header::{AUTHORIZATION, CONTENT_TYPE, TE, USER_AGENT},
};
use measure::Closing;
use prost::Message;
use tokio::time::timeout;

use super::{
    body::BodyPieces,
    driver::{Driver, Ended},
    endpoint::{CLOSE_LIMIT, Endpoint, Protocol},
    framing::{Frame, append_framed, split_frame},
    http1::{HttpAnswer, HttpRequest},
    stream::Stream,
};
use crate::load::{
    client::AGENT,
    failure::{Fault, OperationError},
    style::grpc_status,
};

/// The head of every call of one method.
#[derive(Clone, Debug)]
pub(in crate::load) struct GrpcMethod {
    uri: Uri,
    headers: HeaderMap,
}

/// A connection that is opened when needed and kept.
#[derive(Debug)]
pub(in crate::load) struct Http2Connection {
    endpoint: Rc<Endpoint>,
    open: Option<Open>,
    /// Every call encodes into it; its memory comes back when h2 has written the message.
    buffer: BytesMut,
}

#[derive(Debug)]
struct Open {
    sender: SendRequest<Bytes>,
    driver: Driver<Connection<Stream, Bytes>>,
    closing: Closing,
}

impl GrpcMethod {
    /// `uri` has scheme, authority and path, from which the pseudo-headers are made.
    pub(in crate::load) fn new(uri: Uri) -> Self {
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("application/grpc")),
            (USER_AGENT, AGENT),
            (TE, HeaderValue::from_static("trailers")),
        ]);
        Self { uri, headers }
    }

    /// The same with a token, if there is one.
    pub(in crate::load) fn authorized(mut self, token: Option<HeaderValue>) -> Self {
        if let Some(token) = token {
            self.headers.insert(AUTHORIZATION, token);
        }
        self
    }

    /// The same with a deadline.
    pub(in crate::load) fn with_timeout(mut self, timeout: Duration) -> Self {
        let value = HeaderValue::try_from(format!("{}u", timeout.as_micros()))
            .expect("digits and a letter are a header value");
        self.headers.insert("grpc-timeout", value);
        self
    }

    fn to_request(&self) -> Request<()> {
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.version_mut() = Version::HTTP_2;
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// The method's path, to name the call in an error.
    pub(in crate::load) fn name(&self) -> String {
        format!("gRPC {}", self.uri.path())
    }
}

impl Http2Connection {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            open: None,
            buffer: BytesMut::new(),
        }
    }

    /// Connects, unless a connection is open and takes calls.
    pub(in crate::load) async fn open(&mut self) -> Result<(), OperationError> {
        if let Some(Open { sender, driver, .. }) = &mut self.open {
            let ready = driver.until(poll_fn(|cx| sender.poll_ready(cx))).await;
            if matches!(ready, Ok(Ok(()))) {
                return Ok(());
            }
            self.open = None;
        }
        let (stream, closing) = self.endpoint.connect(Protocol::Http2).await?;
        let (sender, connection) = h2::client::Builder::new()
            .enable_push(false)
            .handshake(stream)
            .await
            .map_err(|error| self.endpoint.broken(error.to_string()))?;
        self.open = Some(Open {
            sender,
            driver: Driver::new(connection),
            closing,
        });
        Ok(())
    }

    /// Encodes the message, sends it and decodes the answer of a call that ends with status OK.
    pub(in crate::load) async fn call<Q: Message, A: Message + Default>(
        &mut self,
        method: &GrpcMethod,
        message: &Q,
    ) -> Result<A, OperationError> {
        self.open().await?;
        append_framed(message, &mut self.buffer);
        let body = self.buffer.split().freeze();
        let reply = self.exchange(method.to_request(), body).await?;
        reply.decode().map_err(|fault| OperationError::Answer {
            request: method.name(),
            fault,
        })
    }

    /// Sends a request and reads the whole answer.
    pub(in crate::load) async fn send(
        &mut self,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, OperationError> {
        self.open().await?;
        let head = request.to_http2(&self.endpoint);
        let reply = self.exchange(head, request.body().clone()).await?;
        Ok(HttpAnswer {
            status: reply.status,
            headers: reply.headers,
            body: reply.body,
        })
    }

    /// Encodes the message, sends it and hands each piece of the answer's body to `take`, which gives
    /// `false` when it is more than an answer. Gives the status with the trailers, or with the headers
    /// where there are none.
    pub(in crate::load) async fn receive<Q: Message>(
        &mut self,
        method: &GrpcMethod,
        message: &Q,
        take: impl FnMut(Bytes) -> bool,
    ) -> Result<(StatusCode, HeaderMap), OperationError> {
        self.open().await?;
        append_framed(message, &mut self.buffer);
        let body = self.buffer.split().freeze();
        let head = self.carry(method.to_request(), body, take).await?;
        Ok((head.status, head.trailers.unwrap_or(head.headers)))
    }

    async fn exchange(
        &mut self,
        request: Request<()>,
        body: Bytes,
    ) -> Result<Reply, OperationError> {
        let mut pieces = BodyPieces::default();
        let head = self
            .carry(request, body, |piece| pieces.push(piece))
            .await?;
        Ok(Reply {
            body: pieces.into_bytes(),
            ..head
        })
    }

    /// Sends a request and reads its answer, whose body goes to `take`.
    async fn carry(
        &mut self,
        request: Request<()>,
        body: Bytes,
        mut take: impl FnMut(Bytes) -> bool,
    ) -> Result<Reply, OperationError> {
        let endpoint = &self.endpoint;
        let Some(Open { sender, driver, .. }) = &mut self.open else {
            return Err(endpoint.broken("it was closed"));
        };
        endpoint.tally.request(body.len());
        let sent = endpoint.tally.clock();
        let broken = |error: h2::Error| endpoint.broken(error.to_string());
        let (answer, mut stream) = sender
            .send_request(request, body.is_empty())
            .map_err(broken)?;
        if !body.is_empty() {
            stream.send_data(body, true).map_err(broken)?;
        }
        let (head, mut incoming) = settled(endpoint, driver.until(answer).await)?.into_parts();
        endpoint.tally.answered(sent);
        while let Some(piece) = next_piece(endpoint, driver, &mut incoming).await? {
            endpoint.tally.body_received(piece.len());
            if !take(piece) {
                return Err(endpoint.broken("the answer does not end"));
            }
        }
        let trailers = settled(endpoint, driver.until(incoming.trailers()).await)?;
        Ok(Reply {
            status: head.status,
            headers: head.headers,
            trailers,
            body: Bytes::new(),
        })
    }

    /// Drops a connection in an unknown state.
    pub(in crate::load) fn reset(&mut self) {
        self.open = None;
    }

    /// Ends the connection in order, GOAWAY included.
    pub(in crate::load) async fn close(&mut self) {
        if let Some(Open {
            sender,
            driver,
            closing,
        }) = self.open.take()
        {
            drop(sender);
            // A server that takes nothing more is left alone.
            let _ = timeout(CLOSE_LIMIT, driver.finish()).await;
            closing.close(CLOSE_LIMIT).await;
        }
    }
}

/// A complete answer; its body is empty where another took it.
struct Reply {
    status: StatusCode,
    headers: HeaderMap,
    trailers: Option<HeaderMap>,
    body: Bytes,
}

impl Reply {
    fn check(&self) -> Result<(), Fault> {
        if self.status != StatusCode::OK {
            return Err(Fault::status(self.status, StatusCode::OK, &self.body));
        }
        // An answer without a message has its gRPC status in the head.
        grpc_status::check(self.trailers.as_ref().unwrap_or(&self.headers))
    }

    fn decode<A: Message + Default>(&self) -> Result<A, Fault> {
        self.check()?;
        match split_frame(&self.body)? {
            (Frame::Message(message), []) => Ok(A::decode(message)?),
            (Frame::Message(_), rest) => Err(Fault::Framing(format!(
                "{} bytes follow the message of a unary call",
                rest.len()
            ))),
            (Frame::Trailers(_), _) => Err(has_trailer_frame()),
        }
    }
}

fn has_trailer_frame() -> Fault {
    Fault::Framing("the body has a gRPC-Web trailer frame".to_owned())
}

async fn next_piece(
    endpoint: &Endpoint,
    driver: &mut Driver<Connection<Stream, Bytes>>,
    incoming: &mut RecvStream,
) -> Result<Option<Bytes>, OperationError> {
    let piece = match driver.until(incoming.data()).await {
        Ok(None) => return Ok(None),
        Ok(Some(piece)) => settled(endpoint, Ok(piece))?,
        Err(ended) => settled(endpoint, Err(ended))?,
    };
    incoming
        .flow_control()
        .release_capacity(piece.len())
        .map_err(|error| endpoint.broken(error.to_string()))?;
    Ok(Some(piece))
}

fn settled<T>(
    endpoint: &Endpoint,
    result: Result<Result<T, h2::Error>, Ended<h2::Error>>,
) -> Result<T, OperationError> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) | Err(Ended { error: Some(error) }) => {
            Err(endpoint.broken(error.to_string()))
        }
        Err(Ended { error: None }) => {
            Err(endpoint.broken("it was closed before the answer was complete"))
        }
    }
}
