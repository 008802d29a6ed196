//! gRPC-Web through a proxy: translated to gRPC and called over a connection of its own, as a proxy in front
//! of a gRPC server does it, instead of being handed to the service directly. The proxy lives in this
//! process, so that the server's CPU time holds both sides; what a second process and another machine
//! would add is not in it.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::{Router, extract::Request, middleware};
use futures_util::future::BoxFuture;
use http::{
    StatusCode, Uri,
    header::{CONTENT_TYPE, HOST},
    uri::{Authority, Scheme},
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use tonic::{Status, body::Body};
use tonic_web::GrpcWebLayer;
use tower::{Layer, Service, ServiceExt as _};

type Call = http::Request<Body>;
type Answer = http::Response<Body>;

/// Puts the proxy before `http1`: its gRPC-Web calls go to the gRPC server at `h2c`, everything else to
/// `http1` as before.
pub fn in_front_of(http1: Router, h2c: SocketAddr) -> Router {
    let proxy = GrpcWebLayer::new().layer(Forward::to(h2c));
    http1.layer(middleware::from_fn(
        move |request: Request, next: middleware::Next| {
            let proxy = proxy.clone();
            async move {
                if !is_grpc_web(&request) {
                    return next.run(request).await;
                }
                match proxy.oneshot(request).await {
                    Ok(answer) => answer.map(axum::body::Body::new),
                    Err(never) => match never {},
                }
            }
        },
    ))
}

fn is_grpc_web(request: &Request) -> bool {
    request
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/grpc-web"))
}

/// Calls a gRPC server over connections that are kept.
#[derive(Clone)]
pub struct Forward {
    client: Client<HttpConnector, Body>,
    authority: Authority,
}

impl Forward {
    /// Calls the server at `address`.
    pub fn to(address: SocketAddr) -> Self {
        let mut connector = HttpConnector::new();
        connector.set_nodelay(true);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .http2_only(true)
            .build(connector);
        let authority = reachable(address)
            .to_string()
            .parse()
            .expect("a socket address is an authority");
        Self { client, authority }
    }
}

impl Service<Call> for Forward {
    type Response = Answer;
    type Error = std::convert::Infallible;
    type Future = BoxFuture<'static, Result<Answer, Self::Error>>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut call: Call) -> Self::Future {
        let mut uri = std::mem::take(call.uri_mut()).into_parts();
        uri.scheme = Some(Scheme::HTTP);
        uri.authority = Some(self.authority.clone());
        let client = self.client.clone();
        Box::pin(async move {
            let Ok(uri) = Uri::from_parts(uri) else {
                return Ok(refused(StatusCode::BAD_REQUEST.as_str()));
            };
            *call.uri_mut() = uri;
            *call.version_mut() = http::Version::HTTP_2;
            call.headers_mut().remove(HOST);
            match client.request(call).await {
                Ok(answer) => Ok(answer.map(Body::new)),
                Err(error) => Ok(refused(&error.to_string())),
            }
        })
    }
}

/// What a proxy answers whose server cannot be reached.
fn refused(reason: &str) -> Answer {
    Status::unavailable(format!(
        "the gRPC server gave the proxy no answer: {reason}"
    ))
    .into_http()
}

/// An address that listens everywhere is reached by the loopback one.
pub fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => (Ipv4Addr::LOCALHOST, v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => (Ipv6Addr::LOCALHOST, v6.port()).into(),
        other => other,
    }
}
