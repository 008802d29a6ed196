//! Why a request does not reach a service, and the answer to it.

use std::borrow::Cow;

use http::{
    HeaderValue, Method, Response, StatusCode, Version,
    header::{ALLOW, CONTENT_TYPE},
};
use http_body_util::Full;
use thiserror::Error;
use tonic::{Code, Status, body::Body};

/// Longest text that may travel in a `grpc-message` header. Clients commonly accept 8 KiB of
/// headers, and the text is there once as such and once or twice in the details.
pub const MAX_TEXT_BYTES: usize = 512;

/// Not a gRPC call in the first place: refused by HTTP status, with the text as plain body.
#[derive(Debug, Error)]
pub enum HttpRefusal {
    /// Another method than POST.
    #[error("{0} is not supported here; an RPC is a POST")]
    Method(Method),
    /// A content type that no protocol has.
    #[error(
        "content type {0:?} is not supported; send application/grpc, application/grpc-web or \
         application/grpc-web-text, each followed by +proto or by nothing"
    )]
    ContentType(String),
    /// gRPC over HTTP/1.
    #[error("gRPC over {0:?} is not possible; use HTTP/2, or send application/grpc-web")]
    Version(Version),
}

impl HttpRefusal {
    /// The answer.
    #[must_use]
    pub fn into_response(self) -> Response<Body> {
        let text = self.to_string();
        let mut response = Response::new(Body::new(Full::from(text)));
        response.headers_mut().insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        );
        *response.status_mut() = match self {
            Self::Method(_) => {
                let allowed = HeaderValue::from_static("POST, OPTIONS");
                response.headers_mut().insert(ALLOW, allowed);
                StatusCode::METHOD_NOT_ALLOWED
            }
            Self::ContentType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Version(_) => StatusCode::HTTP_VERSION_NOT_SUPPORTED,
        };
        response
    }
}

/// A gRPC call that breaks a rule of the protocol or a limit of the server.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum CallRefusal {
    /// `grpc-timeout` cannot be read.
    #[error("grpc-timeout {0:?} is not 1 to 8 digits followed by one of H, M, S, m, u, n")]
    MalformedTimeout(String),
    /// The time that the caller gave is over.
    #[error("the deadline set by grpc-timeout has passed")]
    DeadlineExceeded,
    /// The method takes one message and got none.
    #[error("the request has no message; this method takes exactly one")]
    NoMessage,
    /// The method takes one message and got more.
    #[error("the request has more than one message; this method takes exactly one")]
    ManyMessages,
    /// A message is over the limit.
    #[error("the request has a message of {found} bytes; at most {limit} are accepted")]
    MessageTooLarge {
        /// Length by its prefix.
        found: u32,
        /// The server's limit.
        limit: usize,
    },
    /// The body ends inside a frame's prefix.
    #[error("the request ends after {found} of the 5 bytes in front of a message")]
    TruncatedPrefix {
        /// Bytes of the prefix that came.
        found: usize,
    },
    /// The body ends inside a message.
    #[error("the request ends with a message of {length} bytes, {missing} of which are missing")]
    TruncatedMessage {
        /// Length by its prefix.
        length: u32,
        /// Bytes that did not come.
        missing: u32,
    },
}

impl CallRefusal {
    /// The gRPC status code that gRPC's own libraries give in this case.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::DeadlineExceeded => Code::DeadlineExceeded,
            Self::NoMessage | Self::ManyMessages => Code::Unimplemented,
            Self::MessageTooLarge { .. } => Code::ResourceExhausted,
            Self::MalformedTimeout(_)
            | Self::TruncatedPrefix { .. }
            | Self::TruncatedMessage { .. } => Code::Internal,
        }
    }
}

impl From<CallRefusal> for Status {
    fn from(refusal: CallRefusal) -> Self {
        Self::new(refusal.code(), refusal.to_string())
    }
}

/// `text`, or as much of its beginning as may be quoted in a status.
#[must_use]
pub fn quotable(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_TEXT_BYTES {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(MAX_TEXT_BYTES - '…'.len_utf8());
    Cow::Owned(format!("{}…", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_at_a_character_and_marked() {
        let long = "ä".repeat(MAX_TEXT_BYTES);
        let quoted = quotable(&long);
        assert!(quoted.len() <= MAX_TEXT_BYTES);
        assert!(quoted.ends_with("ä…"));
        assert_eq!(quotable("short"), "short");
    }
}
