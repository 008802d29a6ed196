//! Connections to a gRPC server, as a service that a client of tonic can call.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use futures_util::future::BoxFuture;
use http::{
    StatusCode, Uri,
    header::HOST,
    uri::{Authority, Scheme},
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::{TokioExecutor, TokioTimer},
};
use tonic::{Status, body::Body};
use tower::Service;

type Call = http::Request<Body>;
type Answer = http::Response<Body>;

/// Calls a gRPC server over connections that are kept, and opened when they are needed.
#[derive(Clone)]
pub(crate) struct GrpcConnection {
    client: Client<HttpConnector, Body>,
    authority: Authority,
}

impl GrpcConnection {
    pub(crate) fn to(address: SocketAddr) -> Self {
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

impl Service<Call> for GrpcConnection {
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

/// The answer in place of one that did not come.
fn refused(reason: &str) -> Answer {
    Status::unavailable(format!("the gRPC server gave no answer: {reason}")).into_http()
}

/// An address that listens everywhere is reached by the loopback one.
pub(crate) fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => (Ipv4Addr::LOCALHOST, v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => (Ipv6Addr::LOCALHOST, v6.port()).into(),
        other => other,
    }
}
