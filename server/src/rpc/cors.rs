//! Calls from web pages of other origins.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    sync::LazyLock,
    task::{Context, Poll},
    time::Duration,
};

use http::{HeaderName, Method, Request, Response, header::ORIGIN};
use tonic::body::Body;
use tower_http::cors::{AllowHeaders, AllowOrigin, Cors, CorsLayer};
use tower_layer::Layer as _;
use tower_service::Service;

/// The longest time for which Chromium remembers a preflight.
const PREFLIGHT_CACHE: Duration = Duration::from_hours(2);

/// Any page may call: the server holds no secrets and reads no cookies. The exposed headers are
/// those in which an answer without body carries its status.
static LAYER: LazyLock<CorsLayer> = LazyLock::new(|| {
    CorsLayer::new()
        .allow_origin(AllowOrigin::any())
        .allow_methods([Method::POST])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            HeaderName::from_static("grpc-status"),
            HeaderName::from_static("grpc-message"),
            HeaderName::from_static("grpc-status-details-bin"),
            HeaderName::from_static("grpc-encoding"),
        ])
        .max_age(PREFLIGHT_CACHE)
});

/// A service with cross-origin headers for requests that have an `Origin`; the others, which are
/// all that a load generator sends, go past the layer.
#[derive(Clone, Debug)]
pub struct CorsOnDemand<S> {
    service: S,
}

impl<S> CorsOnDemand<S> {
    /// `service`, open to every origin.
    pub fn new(service: S) -> Self {
        Self { service }
    }
}

impl<S, B> Service<Request<B>> for CorsOnDemand<S>
where
    S: Service<Request<B>, Response = Response<Body>, Error = Infallible> + Clone,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = CorsFuture<S::Future, <Cors<S> as Service<Request<B>>>::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        if request.headers().contains_key(ORIGIN) {
            CorsFuture::CrossOrigin(LAYER.layer(self.service.clone()).call(request))
        } else {
            CorsFuture::SameOrigin(self.service.call(request))
        }
    }
}

/// The answer of a [`CorsOnDemand`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub enum CorsFuture<F, C> {
    /// Past the layer.
    SameOrigin(F),
    /// Through the layer.
    CrossOrigin(C),
}

impl<F, C, T> Future for CorsFuture<F, C>
where
    F: Future<Output = T> + Unpin,
    C: Future<Output = T> + Unpin,
{
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        match &mut *self {
            Self::SameOrigin(answer) => Pin::new(answer).poll(cx),
            Self::CrossOrigin(answer) => Pin::new(answer).poll(cx),
        }
    }
}
