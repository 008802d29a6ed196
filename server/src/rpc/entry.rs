//! The way in: which requests are calls, and in which protocol.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll},
};

use http::{
    HeaderMap, HeaderValue, Method, Request, Response, Version,
    header::{ACCEPT, CONTENT_TYPE},
};
use tonic::body::Body;
use tonic_web::GrpcWebLayer;
use tower_layer::Layer as _;
use tower_service::Service;

use super::{
    content_type::{self, Accepted, Protocol},
    cors::CorsOnDemand,
    guard::{CallLimits, Guard, GuardFuture},
    refusal::{HttpRefusal, quotable},
    request_body::RequestBody,
};

/// `service` under `limits`, with everything in front of it that a route needs.
pub fn entry<S>(service: S, limits: CallLimits) -> CorsOnDemand<Dispatch<S>> {
    let guard = Guard::new(service, limits);
    CorsOnDemand::new(Dispatch { guard })
}

/// Hands gRPC to the service as it is and gRPC-Web by way of tonic-web, and refuses the rest.
///
/// tonic-web alone would answer gRPC over HTTP/1.1 and foreign content types with a bare 400, and
/// let the latter pass as gRPC over HTTP/2.
#[derive(Clone, Debug)]
pub struct Dispatch<S> {
    guard: Guard<S>,
}

impl<S> Service<Request<axum::body::Body>> for Dispatch<S>
where
    S: Service<Request<RequestBody>, Response = Response<Body>, Error = Infallible> + Clone,
    S::Future: Unpin,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = DispatchFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Service::<Request<axum::body::Body>>::poll_ready(&mut self.guard, cx)
    }

    fn call(&mut self, mut request: Request<axum::body::Body>) -> Self::Future {
        match call_of(&request) {
            Err(refusal) => DispatchFuture::Refused(Some(refusal)),
            Ok(Accepted {
                protocol: Protocol::Grpc,
                ..
            }) => DispatchFuture::Grpc(self.guard.call(request)),
            Ok(web) => {
                spell_for_tonic_web(web, request.headers_mut());
                let mut service = GrpcWebLayer::new().layer(self.guard.clone());
                DispatchFuture::Web(service.call(request))
            }
        }
    }
}

fn call_of<B>(request: &Request<B>) -> Result<Accepted, HttpRefusal> {
    if request.method() != Method::POST {
        return Err(HttpRefusal::Method(request.method().clone()));
    }
    let headers = request.headers();
    let accepted = content_type::of_request(headers).ok_or_else(|| {
        let found = headers.get(CONTENT_TYPE).map_or("", |value| {
            value.to_str().unwrap_or("(not readable as text)")
        });
        HttpRefusal::ContentType(quotable(found).into_owned())
    })?;
    if accepted.protocol == Protocol::Grpc && request.version() < Version::HTTP_2 {
        return Err(HttpRefusal::Version(request.version()));
    }
    Ok(accepted)
}

/// tonic-web knows one spelling of each type and looks for text in `accept` alone.
fn spell_for_tonic_web(web: Accepted, headers: &mut HeaderMap) {
    if !web.plain {
        let plain = HeaderValue::from_static(web.protocol.content_type());
        headers.insert(CONTENT_TYPE, plain);
    }
    let answer = content_type::of_web_answer(web.protocol, headers.get(ACCEPT));
    if answer == Protocol::WebText {
        headers.insert(ACCEPT, HeaderValue::from_static(answer.content_type()));
    }
}

type WebFuture<F> = tonic_web::ResponseFuture<GuardFuture<F>>;

/// The answer of a [`Dispatch`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub enum DispatchFuture<F> {
    /// A gRPC call.
    Grpc(GuardFuture<F>),
    /// A gRPC-Web call.
    Web(WebFuture<F>),
    /// No call.
    Refused(Option<HttpRefusal>),
}

impl<F> Future for DispatchFuture<F>
where
    F: Future<Output = Result<Response<Body>, Infallible>> + Unpin,
{
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Grpc(call) => Pin::new(call).poll(cx),
            Self::Web(call) => Pin::new(call).poll(cx),
            Self::Refused(refusal) => {
                let refusal = refusal
                    .take()
                    .expect("a future is not polled after it is ready");
                Poll::Ready(Ok(refusal.into_response()))
            }
        }
    }
}
