//! The head of an answer.

use http::{
    HeaderMap,
    header::{CONTENT_ENCODING, SET_COOKIE},
    response::Parts,
};

use crate::http1::{self, Fields};

/// The head of an answer, as far as it was read.
#[derive(Debug)]
pub(super) enum Head {
    Http1(http1::Head),
    Http2(Box<Parts>),
}

impl Head {
    pub(super) fn status(&self) -> u16 {
        match self {
            Self::Http1(head) => head.status,
            Self::Http2(parts) => parts.status.as_u16(),
        }
    }

    /// As k6 names it.
    pub(super) fn proto(&self) -> &'static str {
        match self {
            Self::Http1(head) if head.minor_version == 0 => "HTTP/1.0",
            Self::Http1(_) => "HTTP/1.1",
            Self::Http2(_) => "HTTP/2.0",
        }
    }

    /// Whether there is a `set-cookie`.
    pub(super) fn sets_cookie(&self) -> bool {
        match self {
            Self::Http1(head) => head.sets_cookie,
            Self::Http2(parts) => parts.headers.contains_key(SET_COOKIE),
        }
    }

    /// Whether there is a `content-encoding`.
    pub(super) fn is_encoded(&self) -> bool {
        match self {
            Self::Http1(head) => head.is_encoded,
            Self::Http2(parts) => parts.headers.contains_key(CONTENT_ENCODING),
        }
    }

    /// Reads the rest.
    pub(super) fn fields(&self) -> Fields {
        match self {
            Self::Http1(head) => head.fields(),
            Self::Http2(parts) => Fields {
                reason: parts
                    .status
                    .canonical_reason()
                    .unwrap_or_default()
                    .to_owned(),
                headers: HeaderMap::clone(&parts.headers),
            },
        }
    }
}
