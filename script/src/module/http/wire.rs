//! What a request looks like on the wire.

use std::{cell::RefCell, rc::Rc};

use http::{
    HeaderMap, HeaderValue, Method,
    header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, USER_AGENT},
};

use super::{request::HttpRequest, url::Target};
use crate::options::Options;

/// Headers that were sent lately, by what they are made of.
#[derive(Debug, Default)]
pub(super) struct SentHeaders {
    known: RefCell<Vec<(Origin, Rc<HeaderMap>)>>,
}

/// What headers are made of when no cookie is sent. Both parts are shared by equal requests, and
/// kept alive here, so that their address tells them apart.
#[derive(Debug)]
struct Origin {
    given: Rc<HeaderMap>,
    target: Rc<Target>,
    length: Option<usize>,
}

/// Headers that are remembered.
const KNOWN: usize = 16;

impl SentHeaders {
    /// All headers of a request.
    pub(super) fn of(
        &self,
        request: &HttpRequest,
        target: &Rc<Target>,
        kept_cookies: Vec<(String, String)>,
        options: &Options,
    ) -> Rc<HeaderMap> {
        if !kept_cookies.is_empty() || !request.cookies.is_empty() {
            return Rc::new(headers(request, target, kept_cookies, options));
        }
        let length = content_length(request);
        let mut known = self.known.borrow_mut();
        let same = |origin: &Origin| {
            origin.length == length
                && Rc::ptr_eq(&origin.given, &request.headers)
                && Rc::ptr_eq(&origin.target, target)
        };
        if let Some((_, headers)) = known.iter().find(|(origin, _)| same(origin)) {
            return Rc::clone(headers);
        }
        let made = Rc::new(headers(request, target, kept_cookies, options));
        if known.len() == KNOWN {
            known.remove(0);
        }
        let origin = Origin {
            given: Rc::clone(&request.headers),
            target: Rc::clone(target),
            length,
        };
        known.push((origin, Rc::clone(&made)));
        made
    }
}

/// All headers in the order in which Go sends them: host, agent, length, then by name.
fn headers(
    request: &HttpRequest,
    target: &Target,
    kept_cookies: Vec<(String, String)>,
    options: &Options,
) -> HeaderMap {
    let given = &request.headers;
    let mut headers = HeaderMap::with_capacity(given.len() + 4);
    let host = given.get(HOST).unwrap_or(&target.host_header);
    headers.insert(HOST, host.clone());
    let agent = given.get(USER_AGENT).cloned();
    let agent = agent.or_else(|| HeaderValue::from_str(options.user_agent()).ok());
    if let Some(agent) = agent.filter(|agent| !agent.is_empty()) {
        headers.insert(USER_AGENT, agent);
    }
    if let Some(length) = content_length(request) {
        headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    }
    if options.no_connection_reuse() {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    let authorization = target.authorization.as_ref();
    let authorization = authorization.filter(|_| !given.contains_key(AUTHORIZATION));
    let cookie = cookie_header(request, kept_cookies);
    let mut rest: Vec<_> = given
        .iter()
        .filter(|(name, _)| ![HOST, USER_AGENT, CONTENT_LENGTH].contains(name))
        .filter(|(name, _)| cookie.is_none() || *name != COOKIE)
        .collect();
    rest.extend(authorization.map(|value| (&AUTHORIZATION, value)));
    rest.extend(cookie.as_ref().map(|value| (&COOKIE, value)));
    if authorization.is_some() || cookie.is_some() {
        rest.sort_by_key(|(name, _)| name.as_str());
    }
    for (name, value) in rest {
        headers.append(name, value.clone());
    }
    headers
}

/// The length to announce: that of the body, and 0 where a body is usual.
fn content_length(request: &HttpRequest) -> Option<usize> {
    match &request.body {
        Some(body) if !body.is_empty() => Some(body.len()),
        _ => [Method::POST, Method::PUT, Method::PATCH]
            .contains(&request.method)
            .then_some(0),
    }
}

/// Cookies of the header, of the parameters and of the jar, in one header.
fn cookie_header(request: &HttpRequest, kept: Vec<(String, String)>) -> Option<HeaderValue> {
    let is_replaced = |name: &str| {
        let mut given = request.cookies.iter();
        given.any(|(given, _, replaces)| given == name && *replaces)
    };
    let header = request.headers.get(COOKIE);
    let header = header.and_then(|value| value.to_str().ok());
    let mut pairs: Vec<String> = header.into_iter().map(str::to_owned).collect();
    let own = pairs.len();
    let given = request.cookies.iter();
    pairs.extend(given.map(|(name, value, _)| format!("{name}={value}")));
    let kept = kept.into_iter().filter(|(name, _)| !is_replaced(name));
    pairs.extend(kept.map(|(name, value)| format!("{name}={value}")));
    if pairs.len() == own {
        return None;
    }
    HeaderValue::from_str(&pairs.join("; ")).ok()
}

/// The next request of a redirect: 307 and 308 repeat it, the others become a GET without body.
pub(super) fn redirected(request: &HttpRequest, status: u16, location: &str) -> HttpRequest {
    let mut next = request.clone();
    next.url = location.into();
    if !matches!(status, 307 | 308) && ![Method::GET, Method::HEAD].contains(&next.method) {
        next.method = Method::GET;
        next.body = None;
        Rc::make_mut(&mut next.headers).remove(http::header::CONTENT_TYPE);
    }
    next
}

/// Whether a status sends the client elsewhere.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}
