//! The HTTP client of one virtual user.

use std::{
    cell::{Cell, RefCell},
    pin::pin,
    rc::Rc,
    sync::Arc,
    time::Instant,
};

use bytes::Bytes;
use http::{HeaderValue, header::LOCATION};
use measure::Traffic;
use tokio::time;

use super::{
    answer::Answer,
    cookie::SharedJar,
    digest::{Challenge, DigestError, Subject, client_nonce},
    failure::Failure,
    head::Head,
    pool::Pool,
    request::{Auth, HttpRequest},
    samples::{Labels, Samples},
    url::Target,
    wire::{self, Login, SentHeads},
};
use crate::{
    alarm::Alarms, engine::Vu, http1::Request, log::Level, metric::Recorder, options::Options,
    test::Test,
};

/// Keeps connections over iterations, and never shares them with other virtual users.
pub(super) struct Client {
    test: Arc<Test>,
    recorder: Rc<Recorder>,
    pool: Pool,
    traffic: Arc<Traffic>,
    alarms: Alarms,
    /// Of the iteration. Scripts may hold it for longer.
    jar: RefCell<SharedJar>,
    /// The iteration in which it was last used.
    iteration: Cell<u64>,
    /// URLs that were used lately, taken apart.
    targets: RefCell<Vec<(Rc<str>, Rc<Target>)>>,
    sent_heads: SentHeads,
    samples: Samples,
}

/// URLs that are remembered.
const TARGETS: usize = 16;
/// Nonces of one request, the later ones in place of stale ones.
const NONCES: usize = 2;

impl Client {
    pub(super) fn new(vu: &Vu) -> Self {
        Self {
            test: Arc::clone(vu.test()),
            recorder: Rc::clone(vu.recorder()),
            pool: Pool::new(Arc::clone(vu.test()), Arc::clone(vu.traffic())),
            traffic: Arc::clone(vu.traffic()),
            alarms: Alarms::default(),
            jar: RefCell::default(),
            iteration: Cell::new(0),
            targets: RefCell::default(),
            sent_heads: SentHeads::default(),
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
            let mut jar = self.jar.borrow_mut();
            match Rc::get_mut(&mut jar) {
                Some(jar) => jar.get_mut().clear(),
                None => *jar = SharedJar::default(),
            }
        }
    }

    /// The cookies of the user in this iteration.
    pub(super) fn jar(&self) -> SharedJar {
        Rc::clone(&self.jar.borrow())
    }

    /// Sends a request, follows redirects, and records the samples of every hop.
    pub(super) async fn send(&self, request: Rc<HttpRequest>) -> Box<Answer> {
        let began = time::Instant::now();
        // A time-out beyond what an instant holds is none.
        let deadline = began.checked_add(request.timeout);
        // In a box, as it is handed on several times.
        let mut answer = Box::new(Answer::pending(&request));
        let timed_out = {
            // Pinned, as it is too large to be moved for nothing.
            let follow = pin!(self.follow(&request, began.into_std(), &mut answer));
            if let Some(deadline) = deadline {
                self.alarms.before(deadline, follow).await.is_none()
            } else {
                follow.await;
                false
            }
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

    async fn follow(&self, request: &Rc<HttpRequest>, began: Instant, answer: &mut Answer) {
        let mut began = began;
        let mut hop = Rc::clone(request);
        for place in 0..=request.redirects {
            if place > 0 {
                answer.begin_hop(&hop);
                began = Instant::now();
            }
            let location = self.hop(&hop, began, answer).await;
            self.record(answer);
            let Some(location) = location else { return };
            hop = Rc::new(wire::redirected(&hop, answer.status, &location));
        }
    }

    /// One exchange with a server, which began just now; where it sends us, if anywhere.
    async fn hop(
        &self,
        request: &HttpRequest,
        began: Instant,
        answer: &mut Answer,
    ) -> Option<String> {
        let target = match self.target(&request.url) {
            Ok(target) => target,
            Err(failure) => {
                answer.fail(failure);
                return None;
            }
        };
        if request.auth == Auth::Digest {
            // In a box, as it would make every request's future larger.
            let hop = self.hop_with_digest(request, &target, began, answer);
            return Box::pin(hop).await;
        }
        self.ask(request, &target, &Login::Basic, began, answer)
            .await
    }

    /// As [`Self::hop`], answering what the server asks for when it knows nobody. The server's nonces
    /// are not kept, so that every request is two, as in k6.
    async fn hop_with_digest(
        &self,
        request: &HttpRequest,
        target: &Rc<Target>,
        mut began: Instant,
        answer: &mut Answer,
    ) -> Option<String> {
        let mut login = Login::Unasked;
        let mut nonces = 0;
        loop {
            answer.awaits_challenge = login == Login::Unasked;
            let location = self.ask(request, target, &login, began, answer).await;
            if answer.status != 401 || answer.failure.is_some() {
                return location;
            }
            match proof(request, target, answer) {
                Ok((proof, is_stale)) if nonces == 0 || is_stale && nonces < NONCES => {
                    login = Login::Digest(proof);
                }
                Err(error) if nonces == 0 => {
                    let message = format!("{} {}: auth digest: {error}", answer.method, answer.url);
                    self.test.log().warn(message);
                    answer.awaits_challenge = false;
                    return location;
                }
                Ok(_) | Err(_) => return location,
            }
            nonces += 1;
            answer.awaits_challenge = true;
            self.record(answer);
            answer.begin_hop(request);
            began = Instant::now();
        }
    }

    /// One exchange.
    async fn ask(
        &self,
        request: &HttpRequest,
        target: &Rc<Target>,
        login: &Login,
        began: Instant,
        answer: &mut Answer,
    ) -> Option<String> {
        answer.url = Rc::clone(&target.url);
        let jar = request.jar.clone().unwrap_or_else(|| self.jar());
        let kept_cookies = jar.borrow().for_request(target);
        answer.sent = self
            .sent_heads
            .of(request, target, kept_cookies, login, self.options());
        match self.exchange(request, target, began, answer).await {
            Ok((head, body)) => {
                let sets_cookie = head.sets_cookie();
                (self.traffic).sent_body(request.body.as_ref().map_or(0, Bytes::len));
                self.traffic.received_body(body.len());
                answer.take(head, body);
                if sets_cookie {
                    jar.borrow_mut().take(target, answer.headers());
                }
                if !wire::is_redirect(answer.status) {
                    return None;
                }
                let location = answer.headers().get(LOCATION)?.to_str().ok()?;
                Some(target.join(location))
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
        mut began: Instant,
        answer: &mut Answer,
    ) -> Result<(Head, Bytes), Failure> {
        let body = request.body.clone().unwrap_or_default();
        let sent = Rc::clone(&answer.sent);
        let wire = Request {
            method: &request.method,
            head: &sent.bytes,
            body: &body,
            closes: sent.closes,
        };
        loop {
            let timings = &mut answer.timings;
            let mut connection = self.pool.connection(target, timings).await?;
            let ready = Instant::now();
            timings.blocked = ready.saturating_duration_since(began);
            answer.remote = Some(connection.remote);
            answer.session = connection.session;
            let was_reused = connection.reused;
            let exchange = connection.exchange(&wire, target, &sent.headers, ready, timings);
            match exchange.await {
                Ok(answered) => {
                    if !self.options().no_connection_reuse() {
                        self.pool.give_back(target, connection);
                    }
                    return Ok(answered);
                }
                // The server closed an idle connection while we began to write: as every client
                // with keep-alive does, once more on another one.
                Err(broken) if was_reused && !connection.has_answered() && broken.is_closed => {
                    began = Instant::now();
                }
                Err(broken) => return Err(broken.failure),
            }
        }
    }

    fn record(&self, answer: &Answer) {
        let request = &answer.request;
        let mut expected = request.expected.holds(answer.status);
        if answer.awaits_challenge {
            expected = expected.map(|_| answer.status == 401);
        }
        let labels = Labels {
            base: request.tags.id(),
            method: &answer.method,
            url: &answer.url,
            name: request.name.as_ref(),
            status: answer.status,
            proto: answer.proto,
            tls_version: answer.session.unwrap_or_default().version,
            ip: answer.remote.map(|remote| remote.ip()),
            // An answer that did not come, or cannot be read, is never an expected one.
            expected: expected.map(|expected| expected && answer.failure.is_none()),
            failure: answer.failure.as_ref(),
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

/// What to say to an answer of 401, and whether only the nonce of the last request was too old.
fn proof(
    request: &HttpRequest,
    target: &Target,
    answer: &Answer,
) -> Result<(HeaderValue, bool), DigestError> {
    let user = target.user.as_ref().ok_or(DigestError::NoUser)?;
    let challenge = Challenge::of(answer.headers())?;
    let subject = Subject {
        user,
        method: request.method.as_str(),
        uri: target.path.as_str(),
        body: request.body.as_deref().unwrap_or_default(),
    };
    let proof = challenge.answer(subject, &client_nonce())?;
    Ok((proof, challenge.is_stale))
}
