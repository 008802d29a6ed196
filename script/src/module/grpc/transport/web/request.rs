//! What a call is on the wire.

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HOST, USER_AGENT},
    uri::PathAndQuery,
};

use super::{content_type, gzip, text};
use crate::{
    http1::write_head,
    module::grpc::{
        status::Status,
        transport::{
            Call, Endpoint,
            framing::{COMPRESSED, PREFIX, begin_frame, end_frame},
            http2::timeout_header,
        },
    },
    tls::Alpn,
};

/// Which HTTP carries the calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum HttpVersion {
    /// HTTP/2 where the TLS handshake agrees on it, else HTTP/1.1.
    #[default]
    Auto,
    /// HTTP/1.1, a connection for each call under way.
    Http1,
    /// HTTP/2; without TLS with prior knowledge.
    Http2,
}

/// What only gRPC-Web has to settle before the first call.
#[derive(Clone, Debug, Default)]
pub(crate) struct WebSettings {
    pub(crate) version: HttpVersion,
    /// Bodies in base64.
    pub(crate) text: bool,
    /// Before every path, without a slash at its end; may be empty.
    pub(crate) base_path: String,
    /// Headers of every call; a call's own win.
    pub(crate) headers: HeaderMap,
    /// Compress requests and ask for compressed answers.
    pub(crate) gzip: bool,
}

impl WebSettings {
    /// What is offered in a TLS handshake.
    pub(crate) fn alpn(&self) -> Alpn {
        match self.version {
            HttpVersion::Auto => Alpn::Any,
            HttpVersion::Http1 => Alpn::Http1,
            HttpVersion::Http2 => Alpn::Http2,
        }
    }
}

/// Makes the requests of one connection.
#[derive(Debug)]
pub(super) struct Requests {
    settings: WebSettings,
    headers: HeaderMap,
}

impl Requests {
    /// Those that go to an endpoint, in this version of HTTP.
    pub(super) fn new(settings: WebSettings, endpoint: &Endpoint, is_http2: bool) -> Self {
        let (authority, user_agent) = (&endpoint.authority, endpoint.user_agent.clone());
        let content_type = if settings.text {
            content_type::TEXT
        } else {
            content_type::BINARY
        };
        let mut headers = HeaderMap::new();
        if !is_http2 {
            let host = HeaderValue::try_from(authority.as_str());
            headers.insert(HOST, host.expect("an authority consists of visible ASCII"));
        }
        headers.extend([
            (USER_AGENT, user_agent.clone()),
            (CONTENT_TYPE, HeaderValue::from_static(content_type)),
            (
                HeaderName::from_static("x-grpc-web"),
                HeaderValue::from_static("1"),
            ),
            (HeaderName::from_static("x-user-agent"), user_agent),
        ]);
        if settings.text {
            headers.insert(ACCEPT, HeaderValue::from_static(content_type));
        }
        if settings.gzip {
            for name in ["grpc-encoding", "grpc-accept-encoding"] {
                headers.insert(name, HeaderValue::from_static(gzip::GZIP));
            }
        }
        replace(&mut headers, &settings.headers);
        Self { settings, headers }
    }

    /// The head of a request for HTTP/1.1, as it is sent.
    pub(super) fn http1(&self, call: &Call, length: usize) -> Result<Vec<u8>, Status> {
        let mut headers = self.headers.clone();
        add_own(&mut headers, call);
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        let mut head = Vec::with_capacity(512);
        write_head(&mut head, &Method::POST, &self.path(call)?, &headers);
        Ok(head)
    }

    /// The headers of a request for HTTP/2.
    pub(super) fn http2(&self, call: &Call) -> HeaderMap {
        let mut headers = self.headers.clone();
        add_own(&mut headers, call);
        headers
    }

    pub(super) fn path(&self, call: &Call) -> Result<PathAndQuery, Status> {
        if self.settings.base_path.is_empty() {
            return Ok(call.path.clone());
        }
        let path = format!("{}{}", self.settings.base_path, call.path);
        PathAndQuery::try_from(path).map_err(|error| Status::internal(error.to_string()))
    }

    /// The body of a request with one message, which has its frame.
    pub(super) fn body(&self, frame: Bytes) -> Result<Bytes, Status> {
        let frame = if self.settings.gzip {
            compressed(frame.get(PREFIX..).unwrap_or_default())?
        } else {
            frame
        };
        Ok(if self.settings.text {
            text::encode(&frame)
        } else {
            frame
        })
    }
}

fn compressed(message: &[u8]) -> Result<Bytes, Status> {
    let mut frame = Vec::new();
    begin_frame(&mut frame);
    frame.extend_from_slice(&gzip::deflate(message)?);
    frame[0] = COMPRESSED;
    end_frame(&mut frame, 0)
}

fn add_own(headers: &mut HeaderMap, call: &Call) {
    if let Some(limit) = call.timeout.filter(|limit| limit.announced) {
        headers.insert("grpc-timeout", timeout_header(limit.duration));
    }
    replace(headers, &call.metadata);
}

fn replace(headers: &mut HeaderMap, own: &HeaderMap) {
    for (name, value) in own {
        headers.insert(name, value.clone());
    }
}
