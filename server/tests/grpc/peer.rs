//! A server over real sockets, and a client that knows bytes only.

use std::{net::SocketAddr, sync::Arc};

use axum::{Router, body::Body};
use bookstore_server::{
    domain::InMemoryBookstore,
    rpc::{self, RpcConfig},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, Version};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    task::{JoinHandle, JoinSet},
};
use tower::ServiceExt as _;

use crate::{answer::Answer, style::Style};

/// The product's router over the default store.
pub fn bookstore() -> Router {
    let store = Arc::new(InMemoryBookstore::default());
    rpc::router(store, &RpcConfig::default())
}

/// What the product does with requests that no route takes.
async fn fallback(headers: HeaderMap) -> Response<Body> {
    rpc::unimplemented(&headers).unwrap_or_else(|| {
        let mut response = Response::new(Body::from("not a gRPC call"));
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    })
}

/// Both listeners; they and their connections end with it.
pub struct Peer {
    http1: SocketAddr,
    http2: SocketAddr,
    listeners: [JoinHandle<()>; 2],
}

impl Peer {
    pub async fn start(router: Router) -> Self {
        let router = router.fallback(fallback);
        let (http1, first) = listen(router.clone(), Version::HTTP_11).await;
        let (http2, second) = listen(router, Version::HTTP_2).await;
        Self {
            http1,
            http2,
            listeners: [first, second],
        }
    }

    pub async fn bookstore() -> Self {
        Self::start(bookstore()).await
    }

    /// One call with these frames.
    pub async fn call(&self, style: Style, path: &str, frames: &[u8]) -> Answer {
        self.send(request(style, path, frames)).await
    }

    /// One request on a connection of its own.
    pub async fn send(&self, request: Request<Full<Bytes>>) -> Answer {
        Answer::read(self.open(request).await).await
    }

    /// The same, up to the answer's headers.
    pub async fn open(&self, request: Request<Full<Bytes>>) -> Response<Incoming> {
        if request.version() == Version::HTTP_2 {
            let stream = TcpStream::connect(self.http2).await.unwrap();
            let (mut sender, connection) =
                hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                    .await
                    .unwrap();
            tokio::spawn(connection);
            sender.send_request(request).await.unwrap()
        } else {
            let stream = TcpStream::connect(self.http1).await.unwrap();
            let (mut sender, connection) =
                hyper::client::conn::http1::handshake(TokioIo::new(stream))
                    .await
                    .unwrap();
            tokio::spawn(connection);
            sender.send_request(request).await.unwrap()
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        for listener in &self.listeners {
            listener.abort();
        }
    }
}

async fn listen(router: Router, version: Version) -> (SocketAddr, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let task = tokio::spawn(async move {
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = TowerToHyperService::new(router.clone());
            let io = TokioIo::new(stream);
            if version == Version::HTTP_2 {
                let builder = conn::http2::Builder::new(TokioExecutor::new());
                connections.spawn(builder.serve_connection(io, service));
            } else {
                let builder = conn::http1::Builder::new();
                connections.spawn(builder.serve_connection(io, service));
            }
        }
    });
    (address, task)
}

/// A request of `style`; its version says which listener it is for.
pub fn request(style: Style, path: &str, frames: &[u8]) -> Request<Full<Bytes>> {
    let mut request = Request::builder()
        .method("POST")
        .version(style.version())
        .uri(format!("http://bookstore.test{path}"))
        .header("host", "bookstore.test")
        .header("content-type", style.content_type())
        .body(Full::from(style.body(frames)))
        .unwrap();
    if style == Style::Grpc {
        let trailers = HeaderValue::from_static("trailers");
        request.headers_mut().insert("te", trailers);
    }
    if style.version() == Version::HTTP_2 {
        request.headers_mut().remove("host");
    }
    request
}

/// One call without a socket, for tests that stop the clock.
pub async fn call_in_process(router: Router, request: Request<Full<Bytes>>) -> Answer {
    let response = router.oneshot(request.map(Body::new)).await.unwrap();
    Answer::read(response).await
}
