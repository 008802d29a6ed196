//! Single requests in every style, each on a connection of its own.

use std::{net::SocketAddr, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use serde_json::Value;
use thiserror::Error;
use tokio::{net::TcpStream, time::timeout};

use super::frame::{decode_text, encode_text, frame, frames, messages, status_in, status_of};

/// No answer of the Bookstore takes anywhere near this long.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why answers could not be compared.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// No asynchronous runtime.
    #[error("cannot start the runtime that asks the server: {0}")]
    Runtime(std::io::Error),
    /// The connection failed.
    #[error("cannot connect to the server at {address}: {source}")]
    Connect {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The exchange failed.
    #[error("{what} got no answer: {source}")]
    Exchange {
        /// Style and path.
        what: String,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The answer cannot be read.
    #[error("{what} was answered with something unreadable: {answer}")]
    Unreadable {
        /// Style and path.
        what: String,
        /// The answer, or what is wrong with it.
        answer: String,
    },
}

/// Where the server listens.
#[derive(Clone, Copy)]
pub(crate) struct Peer {
    pub(crate) http1: SocketAddr,
    pub(crate) h2c: SocketAddr,
}

/// What a gRPC call came to: the status and, when it is 0, the message.
pub(crate) struct Called<M> {
    /// The head of the answer.
    pub(crate) headers: HeaderMap,
    pub(crate) status: i32,
    pub(crate) message: Option<M>,
}

/// How gRPC travels.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// gRPC over h2c.
    Grpc,
    /// gRPC-Web over HTTP/1.1, binary.
    Web,
    /// gRPC-Web over HTTP/1.1, base64 text.
    WebText,
}

impl Transport {
    pub(crate) const ALL: [Self; 3] = [Self::Grpc, Self::Web, Self::WebText];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Grpc => "gRPC",
            Self::Web => "gRPC-Web",
            Self::WebText => "gRPC-Web text",
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Grpc => "application/grpc",
            Self::Web => "application/grpc-web+proto",
            Self::WebText => "application/grpc-web-text",
        }
    }
}

/// An answer as it came.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    trailers: HeaderMap,
}

impl Peer {
    /// A JSON exchange; an answer without a body is `null`.
    pub(crate) async fn json(
        self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<(StatusCode, Value), VerifyError> {
        let what = format!("{method} {path}");
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", self.http1.to_string());
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Bytes::new, |body| Bytes::from(body.to_string()));
        let reply = self.http1(&what, request, body).await?;
        if reply.body.is_empty() {
            return Ok((reply.status, Value::Null));
        }
        match serde_json::from_slice(&reply.body) {
            Ok(value) => Ok((reply.status, value)),
            Err(_) => Err(unreadable(&what, &String::from_utf8_lossy(&reply.body))),
        }
    }

    /// An exchange over HTTP/1.1 whose answer is taken as it comes.
    pub(crate) async fn exchange(
        self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Bytes>,
    ) -> Result<Reply, VerifyError> {
        let what = format!("{method} {path}");
        let host = self.http1.to_string();
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header("host", host);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.http1(&what, request, body.into()).await
    }

    /// A unary call. A method of this package is named without it, others with theirs.
    pub(crate) async fn call<M: Message + Default>(
        self,
        transport: Transport,
        method: &str,
        message: &impl Message,
    ) -> Result<Called<M>, VerifyError> {
        self.call_with(transport, method, message, &[]).await
    }

    /// A unary call with further metadata.
    pub(crate) async fn call_with<M: Message + Default>(
        self,
        transport: Transport,
        method: &str,
        message: &impl Message,
        metadata: &[(&str, &str)],
    ) -> Result<Called<M>, VerifyError> {
        let what = format!("{} {}", transport.name(), path_of(method));
        let (headers, status, messages) = self.ask(transport, method, message, metadata).await?;
        called(&what, &headers, status, &messages)
    }

    /// The messages of a server stream that ends with status 0.
    pub(crate) async fn messages<M: Message + Default>(
        self,
        transport: Transport,
        method: &str,
        message: &impl Message,
    ) -> Result<Vec<M>, VerifyError> {
        let what = format!("{} {}", transport.name(), path_of(method));
        let (_, status, messages) = self.ask(transport, method, message, &[]).await?;
        if status != Some(0) {
            return Err(unreadable(
                &what,
                &format!("it ends with status {status:?}"),
            ));
        }
        let decode = |message: &Vec<u8>| {
            M::decode(&**message).map_err(|error| unreadable(&what, &error.to_string()))
        };
        messages.iter().map(decode).collect()
    }

    /// Head, status and messages of the answer to one message.
    async fn ask(
        self,
        transport: Transport,
        method: &str,
        message: &impl Message,
        metadata: &[(&str, &str)],
    ) -> Result<(HeaderMap, Option<i32>, Vec<Vec<u8>>), VerifyError> {
        let path = path_of(method);
        let what = format!("{} {path}", transport.name());
        let framed = frame(&message.encode_to_vec());
        let mut request = Request::builder()
            .method(Method::POST)
            .header("content-type", transport.content_type());
        for (name, value) in metadata {
            request = request.header(*name, *value);
        }
        if transport == Transport::Grpc {
            request = request
                .uri(format!("http://{}{path}", self.h2c))
                .header("te", "trailers");
            let reply = self.h2c(&what, request, framed).await?;
            let status = status_of(&reply.trailers).or_else(|| status_of(&reply.headers));
            let messages = messages(&what, &reply.body)?;
            return Ok((reply.headers, status, messages));
        }
        request = request
            .uri(path)
            .header("host", self.http1.to_string())
            .header("accept", transport.content_type())
            .header("x-grpc-web", "1");
        let text = transport == Transport::WebText;
        let body = if text { encode_text(&framed) } else { framed };
        let reply = self.http1(&what, request, body).await?;
        let body = if text {
            decode_text(&what, &reply.body)?
        } else {
            reply.body.to_vec()
        };
        let parts = frames(&what, &body)?;
        let trailer = parts.iter().find(|(flag, _)| flag & 0x80 != 0);
        let status = trailer
            .and_then(|(_, block)| status_in(block))
            .or_else(|| status_of(&reply.headers));
        let data = parts
            .iter()
            .filter(|(flag, _)| flag & 0x80 == 0)
            .map(|(_, data)| data.to_vec())
            .collect();
        Ok((reply.headers, status, data))
    }

    async fn http1(
        self,
        what: &str,
        request: http::request::Builder,
        body: Bytes,
    ) -> Result<Reply, VerifyError> {
        let exchange = async {
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(connect(self.http1).await?).await?;
            tokio::spawn(connection);
            read(sender.send_request(request.body(Full::new(body))?).await?).await
        };
        bounded(what, self.http1, exchange).await
    }

    async fn h2c(
        self,
        what: &str,
        request: http::request::Builder,
        body: Bytes,
    ) -> Result<Reply, VerifyError> {
        let exchange = async {
            let io = connect(self.h2c).await?;
            let (mut sender, connection) =
                hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await?;
            tokio::spawn(connection);
            read(sender.send_request(request.body(Full::new(body))?).await?).await
        };
        bounded(what, self.h2c, exchange).await
    }
}

/// The path of a method.
fn path_of(method: &str) -> String {
    if method.contains('.') {
        format!("/{method}")
    } else {
        format!("/bookstore.bench.v1.{method}")
    }
}

pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

async fn connect(address: SocketAddr) -> Result<TokioIo<TcpStream>, BoxError> {
    Ok(TokioIo::new(TcpStream::connect(address).await?))
}

async fn read(response: http::Response<hyper::body::Incoming>) -> Result<Reply, BoxError> {
    let (head, body) = response.into_parts();
    let collected = body.collect().await?;
    Ok(Reply {
        status: head.status,
        headers: head.headers,
        trailers: collected.trailers().cloned().unwrap_or_default(),
        body: collected.to_bytes(),
    })
}

pub(super) async fn bounded<T>(
    what: &str,
    address: SocketAddr,
    exchange: impl Future<Output = Result<T, BoxError>>,
) -> Result<T, VerifyError> {
    let outcome = timeout(PATIENCE, exchange)
        .await
        .unwrap_or_else(|_| Err(format!("nothing came within {} s", PATIENCE.as_secs()).into()));
    outcome.map_err(|error| match error.downcast::<std::io::Error>() {
        Ok(source) => VerifyError::Connect {
            address,
            source: *source,
        },
        Err(source) => VerifyError::Exchange {
            what: what.to_owned(),
            source,
        },
    })
}

fn called<M: Message + Default>(
    what: &str,
    headers: &HeaderMap,
    status: Option<i32>,
    messages: &[Vec<u8>],
) -> Result<Called<M>, VerifyError> {
    let status = status.ok_or_else(|| unreadable(what, "there is no grpc-status"))?;
    let message = match messages {
        [one] => Some(M::decode(&**one).map_err(|error| unreadable(what, &error.to_string()))?),
        _ => None,
    };
    if status == 0 && message.is_none() {
        return Err(unreadable(
            what,
            &format!("status 0 with {} messages", messages.len()),
        ));
    }
    Ok(Called {
        headers: headers.clone(),
        status,
        message,
    })
}

pub(super) fn unreadable(what: &str, answer: &str) -> VerifyError {
    VerifyError::Unreadable {
        what: what.to_owned(),
        answer: answer.to_owned(),
    }
}
