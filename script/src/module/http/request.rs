//! A request as the script asks for it.

use std::{rc::Rc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::expected::Expected;
use crate::metric::TagSet;

/// What a script asks for, with everything that concerns it; no JavaScript values.
#[derive(Clone, Debug)]
pub(super) struct HttpRequest {
    pub(super) method: Method,
    pub(super) url: Rc<str>,
    /// The name of a `` http.url`…` `` or of `tags.name`; replaces the URL in tags.
    pub(super) name: Option<Rc<str>>,
    /// Headers of the script, in the order in which they are sent.
    pub(super) headers: HeaderMap,
    /// Cookies of the script, and whether each replaces one of the jar.
    pub(super) cookies: Vec<(String, String, bool)>,
    pub(super) body: Option<Bytes>,
    pub(super) timeout: Duration,
    pub(super) redirects: u64,
    pub(super) response_type: ResponseType,
    pub(super) expected: Expected,
    pub(super) throw: bool,
    /// Tags of its samples.
    pub(super) tags: TagSet,
}

/// What the body of an answer becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ResponseType {
    /// A string.
    Text,
    /// An `ArrayBuffer`.
    Binary,
    /// Nothing.
    None,
}

/// Adds headers of a script. They are sent as Go sends them: sorted by name.
pub(super) fn sorted_headers(
    mut pairs: Vec<(String, String)>,
) -> Result<HeaderMap, (String, String)> {
    pairs.sort_by_key(|(name, _)| name.to_ascii_lowercase());
    let mut headers = HeaderMap::with_capacity(pairs.len());
    for (name, value) in pairs {
        let parsed = HeaderName::from_bytes(name.as_bytes())
            .ok()
            .zip(HeaderValue::from_bytes(value.as_bytes()).ok());
        match parsed {
            Some((name, value)) => headers.append(name, value),
            None => return Err((name, value)),
        };
    }
    Ok(headers)
}
