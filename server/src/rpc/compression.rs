//! gzip for callers that use it, at no cost for the others.

use std::task::{Context, Poll, ready};

use http::{HeaderMap, HeaderName, Request};
use tonic::{codec::CompressionEncoding, server::NamedService};
use tower_service::Service;

use super::request_body::RequestBody;

static GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");

/// The one compression that is spoken.
pub const GZIP: CompressionEncoding = CompressionEncoding::Gzip;

/// A generated service in two forms: one that knows no compression, for plain requests, and one
/// that accepts and sends it, for requests that are compressed.
///
/// tonic alone compresses for whoever offers to take it, and looks for both headers in every call.
#[derive(Clone, Debug)]
pub struct ByEncoding<S> {
    plain: S,
    compressing: S,
}

impl<S> ByEncoding<S> {
    /// `plain`, and the same service with compression switched on.
    pub fn new(plain: S, compressing: S) -> Self {
        Self { plain, compressing }
    }
}

impl<S: NamedService> NamedService for ByEncoding<S> {
    const NAME: &'static str = S::NAME;
}

impl<S> Service<Request<RequestBody>> for ByEncoding<S>
where
    S: Service<Request<RequestBody>>,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = S::Future;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        ready!(self.plain.poll_ready(cx))?;
        self.compressing.poll_ready(cx)
    }

    fn call(&mut self, request: Request<RequestBody>) -> S::Future {
        if is_compressed(request.headers()) {
            self.compressing.call(request)
        } else {
            self.plain.call(request)
        }
    }
}

fn is_compressed(headers: &HeaderMap) -> bool {
    headers
        .get(&GRPC_ENCODING)
        .is_some_and(|encoding| encoding != "identity")
}
