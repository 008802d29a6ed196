//! Trailers on an answer that succeeds. tonic has no way to set them, and the product has no use
//! for any, so they are added here, below the layers that the suite judges.

use std::{
    convert::Infallible,
    task::{Context, Poll},
};

use bookstore_server::rpc::RequestBody;
use futures_util::{TryFutureExt as _, future::MapOk};
use http::{HeaderMap, Request, Response};
use http_body::Frame;
use http_body_util::BodyExt as _;
use tonic::{body::Body, server::NamedService};
use tower_service::Service;

/// An extension of an answer: what to add to its trailers.
#[derive(Clone, Debug)]
pub struct Trailers(pub HeaderMap);

/// A service that sends the [`Trailers`] of its answers.
#[derive(Clone, Debug)]
pub struct WithTrailers<S> {
    service: S,
}

impl<S> WithTrailers<S> {
    /// `service` with trailers.
    pub fn new(service: S) -> Self {
        Self { service }
    }
}

impl<S: NamedService> NamedService for WithTrailers<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<RequestBody>> for WithTrailers<S>
where
    S: Service<Request<RequestBody>, Response = Response<Body>, Error = Infallible>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = MapOk<S::Future, fn(Response<Body>) -> Response<Body>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<RequestBody>) -> Self::Future {
        self.service.call(request).map_ok(add_trailers)
    }
}

fn add_trailers(mut response: Response<Body>) -> Response<Body> {
    let Some(Trailers(added)) = response.extensions_mut().remove() else {
        return response;
    };
    response.map(|body| {
        Body::new(body.map_frame(move |frame| match frame.into_trailers() {
            Ok(mut trailers) => {
                trailers.extend(added.clone());
                Frame::trailers(trailers)
            }
            Err(data) => data,
        }))
    })
}
