//! What came of a request.

use std::{net::SocketAddr, rc::Rc};

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Version, response::Parts};
use hyper::ext::ReasonPhrase;

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
    pub(super) sent_headers: Rc<HeaderMap>,
    /// 0 without an answer.
    pub(super) status: u16,
    /// What the server said instead of the usual word for the status.
    reason: Option<ReasonPhrase>,
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
            sent_headers: Rc::default(),
            status: 0,
            reason: None,
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
        self.reason = parts.extensions.get::<ReasonPhrase>().cloned();
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

    /// For example `200 OK`; empty without an answer.
    pub(super) fn status_text(&self) -> String {
        if self.status == 0 {
            return String::new();
        }
        let own = self.reason.as_ref().map(ReasonPhrase::as_bytes);
        let own = own.and_then(|reason| std::str::from_utf8(reason).ok());
        let usual = || StatusCode::from_u16(self.status).ok()?.canonical_reason();
        let reason = own.or_else(usual).unwrap_or_default();
        format!("{} {reason}", self.status).trim_end().to_owned()
    }

    /// There is none and will be none.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.status = 0;
        self.failure = Some(failure);
    }
}
