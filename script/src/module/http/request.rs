//! A request as the script asks for it.

use std::{cell::RefCell, rc::Rc, time::Duration};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method};

use super::{cookie::SharedJar, expected::Expected};
use crate::metric::TagSet;

/// What a script asks for, with everything that concerns it; no JavaScript values.
#[derive(Clone, Debug)]
pub(super) struct HttpRequest {
    pub(super) method: Method,
    pub(super) url: Rc<str>,
    /// The name of a `` http.url`…` `` or of `tags.name`; replaces the URL in tags.
    pub(super) name: Option<Rc<str>>,
    /// Headers of the script, in the order in which they are sent. Requests with the same headers
    /// share them.
    pub(super) headers: Rc<HeaderMap>,
    /// Cookies of the script.
    pub(super) cookies: Vec<GivenCookie>,
    /// The script's own jar, in place of that of the virtual user.
    pub(super) jar: Option<SharedJar>,
    pub(super) body: Option<Bytes>,
    /// The body as the script gave it, where it was compressed.
    pub(super) plain_body: Option<Bytes>,
    pub(super) auth: Auth,
    pub(super) timeout: Duration,
    pub(super) redirects: u64,
    pub(super) response_type: ResponseType,
    pub(super) expected: Expected,
    pub(super) throw: bool,
    /// Tags of its samples.
    pub(super) tags: TagSet,
}

/// How a request says who asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Auth {
    /// At once, where the URL has a user.
    #[default]
    Basic,
    /// As a server asks that is asked without.
    Digest,
}

/// A cookie of the parameters.
#[derive(Clone, Debug)]
pub(super) struct GivenCookie {
    pub(super) name: String,
    /// Name and value as the header has them.
    pub(super) pair: String,
    /// Whether one of the jar with the same name stays away.
    pub(super) replaces: bool,
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

/// Headers that scripts gave lately. Most requests of a script have the same.
#[derive(Debug, Default)]
pub(super) struct HeaderCache {
    none: Rc<HeaderMap>,
    known: RefCell<Vec<(Pairs, Rc<HeaderMap>)>>,
}

/// Names and values as the script gave them.
type Pairs = Vec<Pair>;

/// Name and value.
type Pair = (Rc<str>, Rc<str>);

/// Headers that are remembered.
const KNOWN: usize = 8;

impl HeaderCache {
    /// No headers.
    pub(super) fn none(&self) -> Rc<HeaderMap> {
        Rc::clone(&self.none)
    }

    /// Headers of a script. They are sent as Go sends them: sorted by name.
    ///
    /// # Errors
    /// The pair that is no header.
    pub(super) fn sorted(&self, pairs: Pairs) -> Result<Rc<HeaderMap>, Pair> {
        let mut known = self.known.borrow_mut();
        if let Some((_, headers)) = known.iter().find(|(known, _)| *known == pairs) {
            return Ok(Rc::clone(headers));
        }
        let headers = Rc::new(sorted(pairs.clone())?);
        if known.len() == KNOWN {
            known.remove(0);
        }
        known.push((pairs, Rc::clone(&headers)));
        Ok(headers)
    }
}

fn sorted(mut pairs: Pairs) -> Result<HeaderMap, Pair> {
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn pairs(pairs: &[(&str, &str)]) -> Pairs {
        let owned = |(name, value): &(&str, &str)| (Rc::from(*name), Rc::from(*value));
        pairs.iter().map(owned).collect()
    }

    #[test]
    fn the_same_headers_are_made_once_and_others_are_not_mixed_up() {
        let cache = HeaderCache::default();
        let given = [("b", "2"), ("A", "1")];
        let first = cache.sorted(pairs(&given)).unwrap();
        let names: Vec<_> = first.keys().map(HeaderName::as_str).collect();
        assert_eq!(names, ["a", "b"]);
        assert!(Rc::ptr_eq(&first, &cache.sorted(pairs(&given)).unwrap()));
        for value in 0..2 * KNOWN {
            let value = value.to_string();
            let other = cache.sorted(pairs(&[("a", &value)])).unwrap();
            assert_eq!(other["a"], *value);
        }
        assert_eq!(*cache.sorted(pairs(&given)).unwrap(), *first);
        let (name, _) = cache.sorted(pairs(&[("a b", "1")])).unwrap_err();
        assert_eq!(&*name, "a b");
    }
}
