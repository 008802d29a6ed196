//! What a request looks like on the wire.

use std::{cell::RefCell, rc::Rc};

use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{
        AUTHORIZATION, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST,
        TRAILER, TRANSFER_ENCODING, USER_AGENT,
    },
};

use super::{request::HttpRequest, url::Target};
use crate::{
    http1::{asks_to_close, write_head},
    options::Options,
};

/// Headers that only the runner decides, as Go does; HTTP/1.1 would mean something else by others.
const OWN: [HeaderName; 5] = [HOST, USER_AGENT, CONTENT_LENGTH, TRANSFER_ENCODING, TRAILER];

/// The head of a request.
#[derive(Debug, Default)]
pub(super) struct SentHead {
    pub(super) headers: HeaderMap,
    /// The same as HTTP/1.1 has it, with the request's line.
    pub(super) bytes: Vec<u8>,
    /// Whether it asks the server to close the connection.
    pub(super) closes: bool,
}

/// Heads that were sent lately, by what they are made of.
#[derive(Debug, Default)]
pub(super) struct SentHeads {
    known: RefCell<Vec<(Origin, Rc<SentHead>)>>,
}

/// How a request says who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Login {
    /// At once, where the URL has a user.
    Basic,
    /// Not before the server asks.
    Unasked,
    /// As the server asks.
    Digest(HeaderValue),
}

/// What a head is made of when no cookie is sent. Headers and target are shared by equal requests,
/// and kept alive here, so that their address tells them apart.
#[derive(Debug)]
struct Origin {
    method: Method,
    given: Rc<HeaderMap>,
    target: Rc<Target>,
    length: Option<usize>,
}

/// Heads that are remembered.
const KNOWN: usize = 16;

impl SentHeads {
    /// The head of a request.
    pub(super) fn of(
        &self,
        request: &HttpRequest,
        target: &Rc<Target>,
        kept_cookies: Vec<(String, String)>,
        login: &Login,
        options: &Options,
    ) -> Rc<SentHead> {
        let is_usual = kept_cookies.is_empty() && request.cookies.is_empty();
        if !is_usual || !matches!(login, Login::Basic) {
            return Rc::new(SentHead::new(request, target, kept_cookies, login, options));
        }
        let length = content_length(request);
        let mut known = self.known.borrow_mut();
        let same = |origin: &Origin| {
            origin.length == length
                && Rc::ptr_eq(&origin.given, &request.headers)
                && Rc::ptr_eq(&origin.target, target)
                && origin.method == request.method
        };
        if let Some((_, head)) = known.iter().find(|(origin, _)| same(origin)) {
            return Rc::clone(head);
        }
        let made = Rc::new(SentHead::new(request, target, kept_cookies, login, options));
        if known.len() == KNOWN {
            known.remove(0);
        }
        let origin = Origin {
            method: request.method.clone(),
            given: Rc::clone(&request.headers),
            target: Rc::clone(target),
            length,
        };
        known.push((origin, Rc::clone(&made)));
        made
    }
}

impl SentHead {
    fn new(
        request: &HttpRequest,
        target: &Target,
        kept_cookies: Vec<(String, String)>,
        login: &Login,
        options: &Options,
    ) -> Self {
        let headers = headers(request, target, kept_cookies, login, options);
        let mut bytes = Vec::new();
        write_head(&mut bytes, &request.method, &target.path, &headers);
        Self {
            closes: asks_to_close(&headers),
            headers,
            bytes,
        }
    }
}

/// All headers in the order in which Go sends them: host, agent, length, then by name.
fn headers(
    request: &HttpRequest,
    target: &Target,
    kept_cookies: Vec<(String, String)>,
    login: &Login,
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
    let authorization = match login {
        Login::Basic if given.contains_key(AUTHORIZATION) => None,
        Login::Basic => target.user.as_ref().map(|user| &user.basic),
        Login::Unasked => None,
        Login::Digest(answer) => Some(answer),
    };
    let cookie = cookie_header(request, kept_cookies);
    let mut rest: Vec<_> = given
        .iter()
        .filter(|(name, _)| !OWN.contains(name))
        .filter(|(name, _)| cookie.is_none() || *name != COOKIE)
        .filter(|(name, _)| authorization.is_none() || *name != AUTHORIZATION)
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
        given.any(|given| given.name == name && given.replaces)
    };
    let header = request.headers.get(COOKIE);
    let header = header.and_then(|value| value.to_str().ok());
    let mut pairs: Vec<String> = header.into_iter().map(str::to_owned).collect();
    let own = pairs.len();
    let given = request.cookies.iter();
    pairs.extend(given.map(|cookie| cookie.pair.clone()));
    let kept = kept.into_iter().filter(|(name, _)| !is_replaced(name));
    pairs.extend(kept.map(|(_, pair)| pair));
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
        next.plain_body = None;
        let headers = Rc::make_mut(&mut next.headers);
        headers.remove(CONTENT_TYPE);
        headers.remove(CONTENT_ENCODING);
    }
    next
}

/// Whether a status sends the client elsewhere.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}
