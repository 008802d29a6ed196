//! What came of a request.

use std::{cell::OnceCell, net::SocketAddr, rc::Rc};

use bytes::Bytes;
use http::{HeaderMap, Method};

use super::{
    connection::Timings, decode::decoded, failure::Failure, head::Head, request::HttpRequest,
    wire::SentHead,
};
use crate::{http1::Fields, tls::Session};

/// The answer to a request, or why there is none.
#[derive(Debug)]
pub(super) struct Answer {
    /// As the script asked for it.
    pub(super) request: Rc<HttpRequest>,
    /// Method of the last hop.
    pub(super) method: Method,
    /// URL of the last hop.
    pub(super) url: Rc<str>,
    /// What was sent at the last hop.
    pub(super) sent: Rc<SentHead>,
    /// 0 without an answer.
    pub(super) status: u16,
    /// Empty without an answer.
    pub(super) proto: &'static str,
    /// The head of the answer, if one came.
    head: Option<Head>,
    /// The words of the head, once somebody has asked for them: scripts seldom do.
    fields: OnceCell<Fields>,
    pub(super) body: Bytes,
    pub(super) remote: Option<SocketAddr>,
    /// What TLS has agreed on for the answer.
    pub(super) session: Option<Session>,
    pub(super) timings: Timings,
    pub(super) failure: Option<Failure>,
    /// Whether the request was sent only to be refused with a challenge.
    pub(super) awaits_challenge: bool,
}

impl Answer {
    /// One that has not come yet.
    pub(super) fn pending(request: &Rc<HttpRequest>) -> Self {
        Self {
            request: Rc::clone(request),
            method: request.method.clone(),
            url: Rc::clone(&request.url),
            sent: Rc::default(),
            status: 0,
            proto: "",
            head: None,
            fields: OnceCell::new(),
            body: Bytes::new(),
            remote: None,
            session: None,
            timings: Timings::default(),
            failure: None,
            awaits_challenge: false,
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
    pub(super) fn take(&mut self, head: Head, body: Bytes) {
        self.status = head.status();
        self.proto = head.proto();
        let is_encoded = head.is_encoded();
        self.head = Some(head);
        if !is_encoded {
            self.body = body;
            return;
        }
        match decoded(self.headers(), body) {
            Ok(body) => self.body = body,
            Err(failure) => self.failure = Some(failure),
        }
    }

    /// The headers of the answer.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.fields().headers
    }

    fn fields(&self) -> &Fields {
        let read = || self.head.as_ref().map(Head::fields).unwrap_or_default();
        self.fields.get_or_init(read)
    }

    /// For example `200 OK`; empty without an answer.
    pub(super) fn status_text(&self) -> String {
        if self.status == 0 {
            return String::new();
        }
        format!("{} {}", self.status, self.fields().reason)
            .trim_end()
            .to_owned()
    }

    /// There is none and will be none.
    pub(super) fn fail(&mut self, failure: Failure) {
        self.status = 0;
        self.session = None;
        self.failure = Some(failure);
    }
}
