//! The HTTP client of one virtual user.

use std::{
    cell::{Cell, RefCell},
    pin::pin,
    rc::Rc,
    sync::Arc,
    time::Instant,
};

use bytes::Bytes;
use http::{Request, header::LOCATION, response::Parts};
use http_body_util::Full;
use measure::Traffic;

use super::{
    answer::Answer,
    cookies::CookieJar,
    failure::Failure,
    pool::Pool,
    request::HttpRequest,
    samples::{Labels, Samples},
    url::Target,
    wire::{self, SentHeaders},
};
use crate::{engine::Vu, log::Level, metric::Recorder, options::Options, test::Test};

/// Keeps connections over iterations, and never shares them with other virtual users.
pub(super) struct Client {
    test: Arc<Test>,
    recorder: Rc<Recorder>,
    pool: Pool,
    traffic: Arc<Traffic>,
    cookies: RefCell<CookieJar>,
    /// The iteration in which it was last used.
    iteration: Cell<u64>,
    /// URLs that were used lately, taken apart.
    targets: RefCell<Vec<(Rc<str>, Rc<Target>)>>,
    sent_headers: SentHeaders,
    samples: Samples,
}

/// URLs that are remembered.
const TARGETS: usize = 16;

impl Client {
    pub(super) fn new(vu: &Vu) -> Self {
        Self {
            test: Arc::clone(vu.test()),
            recorder: Rc::clone(vu.recorder()),
            pool: Pool::new(Arc::clone(vu.traffic())),
            traffic: Arc::clone(vu.traffic()),
            cookies: RefCell::default(),
            iteration: Cell::new(0),
            targets: RefCell::default(),
            sent_headers: SentHeaders::default(),
            samples: Samples::default(),
        }
    }

    fn options(&self) -> &Options {
        self.test.options()
    }

    /// Notes the iteration: cookies end with it, and connections where the options say so.
    pub(super) fn enter(&self, iteration: u64) {
        if self.iteration.replace(iteration) == iteration {
            return;
        }
        if self.options().no_vu_connection_reuse() {
            self.pool.clear();
        }
        if !self.options().no_cookies_reset() {
            self.cookies.borrow_mut().clear();
        }
    }

    /// Sends a request, follows redirects, and records the samples of every hop.
    pub(super) async fn send(&self, request: HttpRequest) -> Answer {
        let began = Instant::now();
        let request = Rc::new(request);
        let mut answer = Answer::pending(&request);
        let timed_out = {
            // Pinned, as it is too large to be moved for nothing.
            let follow = pin!(self.follow(&request, &mut answer));
            tokio::time::timeout(request.timeout, follow).await.is_err()
        };
        if timed_out {
            answer.fail(Failure::timeout());
            answer.timings.waiting = began.elapsed().saturating_sub(answer.timings.blocked);
            self.record(&answer);
        }
        if let Some(failure) = &answer.failure {
            let error = format!("{} {:?}: {}", answer.method, answer.url, failure.message);
            let fields = [("error", format!("{error:?}"))];
            let fields = fields.each_ref().map(|(key, value)| (*key, value.as_str()));
            (self.test.log()).write(Level::Warning, "Request Failed", &fields);
        }
        answer
    }

    async fn follow(&self, request: &Rc<HttpRequest>, answer: &mut Answer) {
        let mut hop = Rc::clone(request);
        for _ in 0..=request.redirects {
            answer.begin_hop(&hop);
            let location = self.hop(&hop, answer).await;
            self.record(answer);
            let Some(location) = location else { return };
            hop = Rc::new(wire::redirected(&hop, answer.status, &location));
        }
    }

    /// One exchange with a server; where it sends us, if anywhere.
    async fn hop(&self, request: &HttpRequest, answer: &mut Answer) -> Option<String> {
        let target = match self.target(&request.url) {
            Ok(target) => target,
            Err(failure) => {
                answer.fail(failure);
                return None;
            }
        };
        answer.url = Rc::clone(&target.url);
        let kept_cookies = self.cookies.borrow().for_request(&target);
        answer.sent_headers = self
            .sent_headers
            .of(request, &target, kept_cookies, self.options());
        match self.exchange(request, &target, answer).await {
            Ok((parts, body)) => {
                self.cookies.borrow_mut().take(&target, &parts.headers);
                (self.traffic).sent_body(request.body.as_ref().map_or(0, Bytes::len));
                self.traffic.received_body(body.len());
                answer.take(parts, body);
                let location = answer.headers.get(LOCATION)?.to_str().ok()?;
                wire::is_redirect(answer.status).then(|| target.join(location))
            }
            Err(failure) => {
                answer.fail(failure);
                None
            }
        }
    }

    fn target(&self, url: &Rc<str>) -> Result<Rc<Target>, Failure> {
        let mut known = self.targets.borrow_mut();
        if let Some((_, target)) = known.iter().find(|(known, _)| known == url) {
            return Ok(Rc::clone(target));
        }
        let target = Rc::new(Target::parse(url)?);
        if known.len() == TARGETS {
            known.remove(0);
        }
        known.push((Rc::clone(url), Rc::clone(&target)));
        Ok(target)
    }

    async fn exchange(
        &self,
        request: &HttpRequest,
        target: &Target,
        answer: &mut Answer,
    ) -> Result<(Parts, Bytes), Failure> {
        loop {
            let mut connection = self.pool.connection(target, &mut answer.timings).await?;
            answer.remote = Some(connection.remote);
            let was_reused = connection.reused;
            let mut wire = Request::new(Full::new(request.body.clone().unwrap_or_default()));
            *wire.method_mut() = request.method.clone();
            *wire.uri_mut() = target.path.clone();
            wire.headers_mut().clone_from(&answer.sent_headers);
            match connection.exchange(wire, &mut answer.timings).await {
                Ok((parts, body)) => {
                    if !self.options().no_connection_reuse() {
                        self.pool.give_back(target, connection, &parts);
                    }
                    return Ok((parts, body));
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

    fn record(&self, answer: &Answer) {
        let request = &answer.request;
        let expected = request.expected.holds(answer.status);
        let labels = Labels {
            base: request.tags.id(),
            method: answer.method.clone(),
            url: Rc::clone(&answer.url),
            name: request.name.clone(),
            status: answer.status,
            proto: answer.proto,
            ip: answer.remote.map(|remote| remote.ip()),
            // An answer that did not come, or cannot be read, is never an expected one.
            expected: expected.map(|expected| expected && answer.failure.is_none()),
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
