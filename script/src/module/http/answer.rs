//! What came of a request.

use std::{net::SocketAddr, rc::Rc};

use bytes::Bytes;
use http::{HeaderMap, Method, Version, response::Parts};

use super::{connection::Timings, decode::decoded, failure::Failure, request::HttpRequest};

/// The answer to a request, or why there is none.
#[derive(Debug)]
pub(super) struct Answer {
    /// As the script asked for it.
    pub(super) request: Rc<HttpRequest>,
    /// Method of the last hop.
    pub(super) method: Method,
    /// URL of the last hop.
    pub(super) url: Rc<str>,
    /// Headers that were sent at the last hop.
    pub(super) sent_headers: HeaderMap,
    /// 0 without an answer.
    pub(super) status: u16,
    /// For example `200 OK`.
    pub(super) status_text: String,
    /// Empty without an answer.
    pub(super) proto: &'static str,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) remote: Option<SocketAddr>,
    pub(super) timings: Timings,
    pub(super) failure: Option<Failure>,
}

impl Answer {
    /// One that has not come yet.
    pub(super) fn pending(request: &Rc<HttpRequest>) -> Self {
        Self {
            request: Rc::clone(request),
            method: request.method.clone(),
            url: Rc::clone(&request.url),
            sent_headers: HeaderMap::new(),
            status: 0,
            status_text: String::new(),
            proto: "",
            headers: HeaderMap::new(),
            body: Bytes::new(),
            remote: None,
            timings: Timings::default(),
            failure: None,
        }
    }

    /// Begins another hop.
    pub(super) fn begin_hop(&mut self, request: &HttpRequest) {
        *self = Self {
            method: request.method.clone(),
            url: Rc::clone(&request.url),
            ..Self::pending(&self.request)
        };
    }

    /// Takes what the server has sent.
    pub(super) fn take(&mut self, parts: Parts, body: Bytes) {
        self.status = parts.status.as_u16();
        let reason = parts
            .extensions
            .get::<hyper::ext::ReasonPhrase>()
            .and_then(|reason| std::str::from_utf8(reason.as_bytes()).ok())
            .or_else(|| parts.status.canonical_reason())
            .unwrap_or_default();
        let text = format!("{} {reason}", self.status);
        text.trim_end().clone_into(&mut self.status_text);
        self.proto = match parts.version {
            Version::HTTP_10 => "HTTP/1.0",
            _ => "HTTP/1.1",
        };
        match decoded(&parts.headers, body) {
            Ok(body) => self.body = body,
            Err(failure) => self.failure = Some(failure),
        }
        self.headers = parts.headers;
    }

    /// There is none and will be none.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.status = 0;
        self.failure = Some(failure);
    }
}
