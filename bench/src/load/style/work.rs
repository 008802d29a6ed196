//! Work that takes longer than its caller waits.

use std::time::Duration;

use bookstore_proto::v1::WorkRequest;
use http::{HeaderValue, Uri};

use crate::load::wire::HttpRequest;

/// The method of the front.
pub(in crate::load) const RELAY_WORK: &str = "/bookstore.bench.v1.WorkService/RelayWork";
/// How long the work takes.
const WORK_MS: i32 = 200;
/// How long callers may be willing to wait at most: shorter than the work, by more than a slow machine
/// is late.
pub(in crate::load) const MOST_PATIENCE: Duration = Duration::from_millis(150);

/// The message that asks for the work.
pub(in crate::load) fn message() -> WorkRequest {
    WorkRequest {
        duration_ms: WORK_MS,
    }
}

/// The same in REST.
pub(in crate::load) fn by_rest(host: &HeaderValue) -> HttpRequest {
    HttpRequest::get(host, Uri::from_static("/api/work/relayed?ms=200"))
}
