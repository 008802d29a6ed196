//! One request with its answer, as a floor server remembers them.

use bytes::Bytes;
use http::{HeaderMap, Method, Uri};

use crate::Answer;

/// A request and what the teacher answered.
#[derive(Debug)]
pub struct Exchange {
    /// What was asked.
    pub request: RecordedRequest,
    /// What came back.
    pub answer: Answer,
}

/// A request, read wholly.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    /// Its method.
    pub method: Method,
    /// Its URI as received: with authority in HTTP/2, without in HTTP/1.1.
    pub uri: Uri,
    /// Its headers as received.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
}

impl RecordedRequest {
    /// Path and query.
    #[must_use]
    pub fn target(&self) -> &str {
        target(&self.uri)
    }
}

/// Path and query of a URI.
pub(crate) fn target(uri: &Uri) -> &str {
    uri.path_and_query()
        .map_or("/", http::uri::PathAndQuery::as_str)
}
