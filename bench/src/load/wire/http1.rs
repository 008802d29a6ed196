//! One keep-alive HTTP/1.1 connection.

use std::{error::Error, rc::Rc};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, StatusCode, Uri, Version,
    header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HOST, USER_AGENT},
};
use http_body_util::{BodyExt, Full};
use hyper::{
    body::{Body, Incoming},
    client::conn::http1::{Builder, Connection, SendRequest},
};
use hyper_util::rt::TokioIo;
use measure::Closing;
use tokio::time::timeout;

use super::{
    body::BodyPieces,
    driver::{Driver, Ended},
    endpoint::{CLOSE_LIMIT, Endpoint, Protocol},
    stream::Stream,
};
use crate::load::{client::AGENT, failure::OperationError};

/// A request that is sent again and again; built once.
#[derive(Clone, Debug)]
pub(in crate::load) struct HttpRequest {
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
}

/// A complete answer.
#[derive(Debug)]
pub(in crate::load) struct HttpAnswer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// A connection that is opened when needed and kept.
#[derive(Debug)]
pub(in crate::load) struct HttpConnection {
    endpoint: Rc<Endpoint>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    sender: SendRequest<Full<Bytes>>,
    driver: Driver<Connection<TokioIo<Stream>, Full<Bytes>>>,
    closing: Closing,
    is_encrypted: bool,
}

impl HttpRequest {
    /// A GET with no headers but `Host` and `User-Agent`.
    pub(in crate::load) fn get(host: &HeaderValue, uri: Uri) -> Self {
        Self {
            method: Method::GET,
            uri,
            headers: HeaderMap::from_iter([(HOST, host.clone()), (USER_AGENT, AGENT)]),
            body: Bytes::new(),
        }
    }

    /// A POST; the headers are sent in the order that k6 gives them.
    pub(in crate::load) fn post(
        host: &HeaderValue,
        uri: Uri,
        content_type: &'static str,
        body: Bytes,
    ) -> Self {
        let headers = HeaderMap::from_iter([
            (HOST, host.clone()),
            (USER_AGENT, AGENT),
            (CONTENT_LENGTH, HeaderValue::from(body.len())),
            (CONTENT_TYPE, HeaderValue::from_static(content_type)),
        ]);
        Self {
            method: Method::POST,
            uri,
            headers,
            body,
        }
    }

    /// The same with another header at the end.
    pub(in crate::load) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The same with a token, which k6 sends before the type of a body.
    pub(in crate::load) fn authorized(mut self, token: HeaderValue) -> Self {
        let content_type = self.headers.remove(CONTENT_TYPE);
        self.headers.insert(AUTHORIZATION, token);
        if let Some(content_type) = content_type {
            self.headers.insert(CONTENT_TYPE, content_type);
        }
        self
    }

    fn to_request(&self) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.uri.clone();
        *request.headers_mut() = self.headers.clone();
        request
    }

    /// The head as HTTP/2 has it, with the authority in the URI instead of `Host`.
    pub(super) fn to_http2(&self, endpoint: &Endpoint) -> Request<()> {
        let mut request = Request::new(());
        *request.method_mut() = self.method.clone();
        *request.version_mut() = Version::HTTP_2;
        let (scheme, authority) = (endpoint.scheme(), &endpoint.authority);
        *request.uri_mut() = Uri::try_from(format!("{scheme}://{authority}{}", self.uri))
            .expect("an authority and a path make a URI");
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().remove(HOST);
        request
    }

    pub(super) fn body(&self) -> &Bytes {
        &self.body
    }

    #[cfg(test)]
    pub(in crate::load) fn body_len(&self) -> usize {
        self.body.len()
    }

    /// Method and path, to name the request in an error.
    pub(in crate::load) fn name(&self) -> String {
        format!("{} {}", self.method, self.uri)
    }
}

impl HttpConnection {
    pub(in crate::load) fn new(endpoint: &Rc<Endpoint>) -> Self {
        Self {
            endpoint: Rc::clone(endpoint),
            open: None,
        }
    }

    /// Connects, unless a connection is open and ready for a request. One that the server has
    /// closed after its last answer is replaced, as every keep-alive client does.
    pub(in crate::load) async fn open(&mut self) -> Result<(), OperationError> {
        if let Some(open) = &mut self.open {
            if matches!(open.driver.until(open.sender.ready()).await, Ok(Ok(()))) {
                return Ok(());
            }
            self.open = None;
        }
        let (stream, closing) = self.endpoint.connect(Protocol::Http1).await?;
        let is_encrypted = stream.is_encrypted();
        let (sender, connection) = Builder::new()
            .title_case_headers(true)
            .writev(false)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| self.endpoint.broken(with_sources(&error)))?;
        self.open = Some(Open {
            sender,
            driver: Driver::new(connection),
            closing,
            is_encrypted,
        });
        Ok(())
    }

    /// Sends the request and reads the whole answer.
    pub(in crate::load) async fn exchange(
        &mut self,
        request: &HttpRequest,
    ) -> Result<HttpAnswer, OperationError> {
        let mut pieces = BodyPieces::default();
        let (status, headers) = self.receive(request, |piece| pieces.push(piece)).await?;
        Ok(HttpAnswer {
            status,
            headers,
            body: pieces.into_bytes(),
        })
    }

    /// Sends the request and hands each piece of the answer's body to `take`, which gives `false` when
    /// it is more than an answer.
    pub(in crate::load) async fn receive(
        &mut self,
        request: &HttpRequest,
        mut take: impl FnMut(Bytes) -> bool,
    ) -> Result<(StatusCode, HeaderMap), OperationError> {
        self.open().await?;
        let endpoint = &self.endpoint;
        let Some(Open { sender, driver, .. }) = &mut self.open else {
            return Err(endpoint.broken("it was closed"));
        };
        endpoint.tally.request(request.body.len());
        let sent = endpoint.tally.clock();
        let answer = driver.until(sender.send_request(request.to_request()));
        let (head, mut incoming) = settled(endpoint, answer.await)?.into_parts();
        endpoint.tally.answered(sent);
        while let Some(frame) = next_frame(endpoint, driver, &mut incoming).await? {
            endpoint.tally.body_received(frame.len());
            if !take(frame) {
                return Err(endpoint.broken("the answer does not end"));
            }
        }
        Ok((head.status, head.headers))
    }

    /// Drops a connection in an unknown state.
    pub(in crate::load) fn reset(&mut self) {
        self.open = None;
    }

    /// Ends the connection in order.
    pub(in crate::load) async fn close(&mut self) {
        if let Some(Open {
            sender,
            driver,
            closing,
            is_encrypted,
        }) = self.open.take()
        {
            drop(sender);
            if is_encrypted {
                // The farewell of TLS; a server that takes nothing more is left alone.
                let _ = timeout(CLOSE_LIMIT, driver.finish()).await;
            }
            closing.close(CLOSE_LIMIT).await;
        }
    }
}

async fn next_frame(
    endpoint: &Endpoint,
    driver: &mut Driver<Connection<TokioIo<Stream>, Full<Bytes>>>,
    incoming: &mut Incoming,
) -> Result<Option<Bytes>, OperationError> {
    while !incoming.is_end_stream() {
        let frame = match driver.until(incoming.frame()).await {
            Ok(None) => return Ok(None),
            Ok(Some(frame)) => settled(endpoint, Ok(frame))?,
            Err(ended) => settled(endpoint, Err(ended))?,
        };
        // HTTP trailers say nothing in these styles.
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

fn settled<T>(
    endpoint: &Endpoint,
    result: Result<hyper::Result<T>, Ended<hyper::Error>>,
) -> Result<T, OperationError> {
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) | Err(Ended { error: Some(error) }) => {
            Err(endpoint.broken(with_sources(&error)))
        }
        Err(Ended { error: None }) => {
            Err(endpoint.broken("it was closed before the answer was complete"))
        }
    }
}

/// The error with what caused it, on one line.
fn with_sources(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}
