//! gRPC-Web through a proxy: translated to gRPC and called over a connection of its own, as a proxy in front
//! of a gRPC server does it, instead of being handed to the service directly. The proxy lives in this
//! process, so that the server's CPU time holds both sides; what a second process and another machine
//! would add is not in it.

use std::net::SocketAddr;

use axum::{Router, extract::Request, middleware};
use http::header::CONTENT_TYPE;
use tonic_web::GrpcWebLayer;
use tower::{Layer, ServiceExt as _};

use crate::grpc_connection::GrpcConnection;

/// Puts the proxy before `http1`: its gRPC-Web calls go to the gRPC server at `h2c`, everything else to
/// `http1` as before.
pub fn in_front_of(http1: Router, h2c: SocketAddr) -> Router {
    let proxy = GrpcWebLayer::new().layer(GrpcConnection::to(h2c));
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
