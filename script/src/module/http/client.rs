//! The HTTP client of one virtual user.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    net::SocketAddr,
    rc::Rc,
    sync::Arc,
    time::Instant,
};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, Method, Request, StatusCode, Version,
    header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, LOCATION, USER_AGENT},
    response::Parts,
};
use http_body_util::Full;
use measure::Traffic;

use super::{
    connection::{Connection, Timings},
    cookies::CookieJar,
    decode::decoded,
    failure::Failure,
    request::HttpRequest,
    samples::{Labels, Samples},
    url::Target,
};
use crate::{engine::Vu, metric::Recorder, options::Options, test::Test};

/// Keeps connections over iterations, and never shares them with other virtual users.
pub(super) struct Client {
    test: Arc<Test>,
    recorder: Rc<Recorder>,
    traffic: Arc<Traffic>,
    idle: RefCell<HashMap<(String, u16), Vec<Connection>>>,
    /// The iteration in which it was last used.
    iteration: Cell<u64>,
    cookies: RefCell<CookieJar>,
    samples: Samples,
}

/// What came of a request.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) request: HttpRequest,
    /// URL of the last hop.
    pub(super) url: Rc<str>,
    /// Headers that were sent at the last hop.
    pub(super) sent_headers: HeaderMap,
    pub(super) status: u16,
    pub(super) status_text: String,
    pub(super) proto: &'static str,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
    pub(super) remote: Option<SocketAddr>,
    pub(super) timings: Timings,
    pub(super) failure: Option<Failure>,
}

/// One exchange with a server.
struct Hop {
    answer: Answer,
    /// Where the server sends us.
    location: Option<String>,
}

impl Client {
    pub(super) fn new(vu: &Vu) -> Self {
        Self {
            test: Arc::clone(vu.test()),
            recorder: Rc::clone(vu.recorder()),
            traffic: Arc::clone(vu.traffic()),
            idle: RefCell::default(),
            iteration: Cell::new(0),
            cookies: RefCell::default(),
            samples: Samples::default(),
        }
    }

    fn options(&self) -> &Options {
        self.test.options()
    }

    /// Notes the iteration; connections end with it where the options say so.
    pub(super) fn enter(&self, iteration: u64) {
        if self.iteration.replace(iteration) == iteration {
            return;
        }
        if self.options().no_vu_connection_reuse() {
            self.idle.borrow_mut().clear();
        }
        if !self.options().no_cookies_reset() {
            self.cookies.borrow_mut().clear();
        }
    }

    /// Sends a request, follows redirects, and records the samples of every hop.
    pub(super) async fn send(&self, request: HttpRequest) -> Answer {
        let began = Instant::now();
        let timeout = request.timeout;
        let mut latest = Answer::empty(&request, &request.url, &HeaderMap::new());
        let followed = tokio::time::timeout(timeout, self.follow(request, &mut latest)).await;
        if followed.is_err() {
            latest.failure = Some(Failure::timeout());
            latest.status = 0;
            let took = began.elapsed();
            latest.timings.waiting = took.saturating_sub(latest.timings.blocked);
            self.record(&latest);
        }
        if let Some(failure) = &latest.failure {
            self.test.log().write(
                crate::log::Level::Warning,
                "Request Failed",
                &[(
                    "error",
                    &format!(
                        "{:?}",
                        format!(
                            "{} \"{}\": {}",
                            latest.request.method, latest.url, failure.message
                        )
                    ),
                )],
            );
        }
        latest
    }

    async fn follow(&self, mut request: HttpRequest, latest: &mut Answer) {
        let original = request.clone();
        let mut hops = 0;
        loop {
            *latest = Answer::empty(&original, &request.url, &HeaderMap::new());
            let hop = self.hop(&original, &request, latest).await;
            *latest = hop.answer;
            self.record(latest);
            let Some(location) = hop.location else { return };
            if hops == original.redirects {
                return;
            }
            hops += 1;
            redirect(&mut request, latest.status, location);
        }
    }

    /// One exchange; `latest` is what there is while it lasts.
    async fn hop(&self, original: &HttpRequest, request: &HttpRequest, latest: &mut Answer) -> Hop {
        let target = match Target::parse(&request.url) {
            Ok(target) => target,
            Err(failure) => return Hop::failed(latest.clone(), failure),
        };
        let headers = self.headers(request, &target);
        *latest = Answer::empty(original, &target.url.as_str().into(), &headers);
        match self.exchange(request, &target, headers, latest).await {
            Err(failure) => Hop::failed(latest.clone(), failure),
            Ok((parts, body)) => {
                self.cookies.borrow_mut().take(&target, &parts.headers);
                let location = is_redirect(parts.status)
                    .then(|| parts.headers.get(LOCATION)?.to_str().ok())
                    .flatten()
                    .map(|location| target.join(location));
                let mut answer = latest.clone();
                answer.take(parts, body);
                Hop { answer, location }
            }
        }
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        target: &Target,
        headers: HeaderMap,
        latest: &mut Answer,
    ) -> Result<(Parts, Bytes), Failure> {
        let key = (target.host.clone(), target.port);
        loop {
            let mut connection = self.connection(target, &key, &mut latest.timings).await?;
            latest.remote = Some(connection.remote);
            let was_reused = connection.reused;
            let mut wire = Request::new(Full::new(request.body.clone().unwrap_or_default()));
            *wire.method_mut() = request.method.clone();
            *wire.uri_mut() = target.path.clone();
            *wire.headers_mut() = headers.clone();
            match connection.exchange(wire, &mut latest.timings).await {
                Ok(answer) => {
                    if !self.options().no_connection_reuse() && keeps_alive(&answer.0) {
                        self.idle
                            .borrow_mut()
                            .entry(key)
                            .or_default()
                            .push(connection);
                    }
                    return Ok(answer);
                }
                // The server closed an idle connection while we began to write: as every client
                // with keep-alive does, once more on another one.
                Err(error)
                    if was_reused
                        && !connection.has_answered()
                        && (error.is_canceled() || error.is_incomplete_message()) => {}
                Err(error) => return Err(Failure::exchange(&error)),
            }
        }
    }

    /// An idle connection, or a new one.
    async fn connection(
        &self,
        target: &Target,
        key: &(String, u16),
        timings: &mut Timings,
    ) -> Result<Connection, Failure> {
        let began = Instant::now();
        loop {
            let idle = self.idle.borrow_mut().get_mut(key).and_then(Vec::pop);
            let Some(mut connection) = idle else { break };
            if connection.is_usable().await {
                timings.blocked = began.elapsed();
                return Ok(connection);
            }
        }
        let (connection, connecting) = Connection::open(target, &self.traffic).await?;
        timings.connecting = connecting;
        timings.blocked = began.elapsed();
        Ok(connection)
    }

    /// All headers in the order in which Go sends them: host, agent, length, then by name.
    fn headers(&self, request: &HttpRequest, target: &Target) -> HeaderMap {
        let mut headers = HeaderMap::with_capacity(request.headers.len() + 4);
        let given = &request.headers;
        let host = given.get(HOST).unwrap_or(&target.host_header);
        headers.insert(HOST, host.clone());
        let agent = given.get(USER_AGENT).cloned();
        let agent = agent.or_else(|| HeaderValue::from_str(self.options().user_agent()).ok());
        if let Some(agent) = agent.filter(|agent| !agent.is_empty()) {
            headers.insert(USER_AGENT, agent);
        }
        if let Some(length) = content_length(request) {
            headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
        }
        if self.options().no_connection_reuse() {
            headers.insert(CONNECTION, HeaderValue::from_static("close"));
        }
        let mut rest: Vec<_> = given.iter().collect();
        if let Some(authorization) = &target.authorization
            && !given.contains_key(AUTHORIZATION)
        {
            rest.push((&AUTHORIZATION, authorization));
            rest.sort_by_key(|(name, _)| name.as_str());
        }
        let cookie = self.cookie_header(request, target);
        if let Some(cookie) = &cookie {
            rest.retain(|(name, _)| **name != COOKIE);
            rest.push((&COOKIE, cookie));
            rest.sort_by_key(|(name, _)| name.as_str());
        }
        for (name, value) in rest {
            if ![HOST, USER_AGENT, CONTENT_LENGTH].contains(name) {
                headers.append(name, value.clone());
            }
        }
        headers
    }

    /// Cookies of the header, of the parameters and of the jar, in one header.
    fn cookie_header(&self, request: &HttpRequest, target: &Target) -> Option<HeaderValue> {
        let kept = self.cookies.borrow().for_request(target);
        let replaced = |name: &str| {
            let mut given = request.cookies.iter();
            given.any(|(given, _, replaces)| given == name && *replaces)
        };
        let given = request.cookies.iter();
        let mut pairs: Vec<String> = given
            .map(|(name, value, _)| format!("{name}={value}"))
            .collect();
        let kept = kept.into_iter().filter(|(name, _)| !replaced(name));
        pairs.extend(kept.map(|(name, value)| format!("{name}={value}")));
        if pairs.is_empty() {
            return None;
        }
        if let Some(header) = request
            .headers
            .get(COOKIE)
            .and_then(|value| value.to_str().ok())
        {
            pairs.insert(0, header.to_owned());
        }
        HeaderValue::from_str(&pairs.join("; ")).ok()
    }

    fn record(&self, answer: &Answer) {
        let request = &answer.request;
        let expected = match &answer.failure {
            Some(_) => request.expected.holds(0).map(|_| false),
            None => request.expected.holds(answer.status),
        };
        let labels = Labels {
            base: request.tags.id(),
            method: request.method.clone(),
            url: Rc::clone(&answer.url),
            name: request.name.clone(),
            status: answer.status,
            proto: answer.proto,
            expected,
            failure: answer.failure.clone(),
        };
        self.samples.record(
            &self.recorder,
            self.options(),
            &request.tags,
            &labels,
            &answer.timings,
        );
    }
}

impl Hop {
    fn failed(mut answer: Answer, failure: Failure) -> Self {
        answer.failure = Some(failure);
        Self {
            answer,
            location: None,
        }
    }
}

impl Answer {
    fn empty(request: &HttpRequest, url: &Rc<str>, sent_headers: &HeaderMap) -> Self {
        Self {
            request: request.clone(),
            url: Rc::clone(url),
            sent_headers: sent_headers.clone(),
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

    fn take(&mut self, parts: Parts, body: Bytes) {
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

fn keeps_alive(answer: &Parts) -> bool {
    let says = |word: &str| {
        answer
            .headers
            .get(CONNECTION)
            .and_then(|value| value.to_str().ok())
            .is_some_and(|value| value.to_ascii_lowercase().contains(word))
    };
    match answer.version {
        Version::HTTP_10 => says("keep-alive"),
        _ => !says("close"),
    }
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}

/// The next request of a redirect: 307 and 308 repeat it, the others become a GET without body.
fn redirect(request: &mut HttpRequest, status: u16, location: String) {
    request.url = location.into();
    if !matches!(status, 307 | 308) && ![Method::GET, Method::HEAD].contains(&request.method) {
        request.method = Method::GET;
        request.body = None;
        request.headers.remove(http::header::CONTENT_TYPE);
    }
}
