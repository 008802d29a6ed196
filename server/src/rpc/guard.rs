//! What every call to a service goes through, in whichever protocol it came.

use std::{
    convert::Infallible,
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use http::{Request, Response};
use tonic::{Status, body::Body};
use tower_service::Service;

use super::{
    deadline::{Deadline, DeadlineBody},
    refusal::CallRefusal,
    request_body::{RequestBody, RequestMessages, Source},
};

/// What the request of one method may be.
#[derive(Clone, Copy, Debug)]
pub struct CallLimits {
    /// How many messages the method takes.
    pub request_messages: RequestMessages,
    /// Largest message, in bytes as its length prefix counts them.
    pub max_message_bytes: usize,
}

/// A generated service behind the checks of [`RequestBody`] and under the caller's [`Deadline`].
#[derive(Clone, Debug)]
pub struct Guard<S> {
    service: S,
    limits: CallLimits,
}

impl<S> Guard<S> {
    /// `service` under `limits`.
    pub fn new(service: S, limits: CallLimits) -> Self {
        Self { service, limits }
    }
}

impl<S, B> Service<Request<B>> for Guard<S>
where
    S: Service<Request<RequestBody>, Response = Response<Body>, Error = Infallible>,
    S::Future: Unpin,
    B: Into<Source>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = GuardFuture<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let deadline = match Deadline::of_request(request.headers()) {
            Ok(deadline) => deadline,
            Err(refusal) => return GuardFuture::Refused(Some(refusal)),
        };
        let mut request = request.map(|body| RequestBody::new(body.into(), self.limits));
        if let Some(deadline) = &deadline {
            request.extensions_mut().insert(deadline.end());
        }
        let call = self.service.call(request);
        match deadline {
            None => GuardFuture::Call(call),
            Some(deadline) => GuardFuture::Timed(Some((call, deadline))),
        }
    }
}

/// The answer of a [`Guard`].
#[derive(Debug)]
#[must_use = "futures do nothing unless polled"]
pub enum GuardFuture<F> {
    /// A call without deadline.
    Call(F),
    /// A call with one; `None` once it is over.
    Timed(Option<(F, Deadline)>),
    /// No call.
    Refused(Option<CallRefusal>),
}

impl<F> Future for GuardFuture<F>
where
    F: Future<Output = Result<Response<Body>, Infallible>> + Unpin,
{
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut *self {
            Self::Call(call) => Pin::new(call).poll(cx),
            Self::Timed(timed) => poll_timed(timed, cx).map(Ok),
            Self::Refused(refusal) => {
                let refusal = refusal
                    .take()
                    .expect("a future is not polled after it is ready");
                Poll::Ready(Ok(Status::from(refusal).into_http()))
            }
        }
    }
}

fn poll_timed<F>(timed: &mut Option<(F, Deadline)>, cx: &mut Context<'_>) -> Poll<Response<Body>>
where
    F: Future<Output = Result<Response<Body>, Infallible>> + Unpin,
{
    let (call, deadline) = timed
        .as_mut()
        .expect("a future is not polled after it is ready");
    let answer = match Pin::new(call).poll(cx) {
        Poll::Ready(Ok(answer)) => Some(answer),
        Poll::Pending => {
            ready!(deadline.poll_passed(cx));
            None
        }
    };
    // Drops the call, and with it whatever it still had to do.
    let (_, deadline) = timed.take().expect("checked above");
    Poll::Ready(match answer {
        Some(answer) if !deadline.has_passed() => {
            answer.map(|body| Body::new(DeadlineBody::new(body, deadline)))
        }
        _ => Status::from(CallRefusal::DeadlineExceeded).into_http(),
    })
}
