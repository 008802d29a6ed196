//! The caller's deadline, from the `grpc-timeout` header.

use std::{
    future::Future as _,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep};
use tonic::Status;

use super::refusal::{CallRefusal, quotable};

static GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
/// By the protocol's definition.
const MAX_DIGITS: usize = 8;

/// When a call must be over, for a service that calls others: among the request's extensions.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd(Instant);

impl CallEnd {
    /// So long from now; `None` beyond the clock.
    #[must_use]
    pub fn after(time: Duration) -> Option<Self> {
        Instant::now().checked_add(time).map(Self)
    }

    /// What is left of the caller's time.
    #[must_use]
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }
}

/// A moment by which a call must be over.
#[derive(Debug)]
pub struct Deadline {
    at: Instant,
    /// Made when there is something to wait for: most calls answer at once and need no timer.
    timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    /// The deadline that a request sets, if any.
    ///
    /// # Errors
    /// [`CallRefusal::MalformedTimeout`].
    pub fn of_request(headers: &HeaderMap) -> Result<Option<Self>, CallRefusal> {
        let Some(value) = headers.get(&GRPC_TIMEOUT) else {
            return Ok(None);
        };
        let timeout = timeout(value).ok_or_else(|| {
            let text = String::from_utf8_lossy(value.as_bytes());
            CallRefusal::MalformedTimeout(quotable(&text).into_owned())
        })?;
        // A time too far away for the clock is no deadline.
        Ok(CallEnd::after(timeout).map(|CallEnd(at)| Self { at, timer: None }))
    }

    /// The moment, for whoever passes it on.
    #[must_use]
    pub fn end(&self) -> CallEnd {
        CallEnd(self.at)
    }

    /// Whether the time is over.
    #[must_use]
    pub fn has_passed(&self) -> bool {
        Instant::now() >= self.at
    }

    /// Waits until the time is over.
    pub fn poll_passed(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let at = self.at;
        self.timer
            .get_or_insert_with(|| Box::pin(tokio::time::sleep_until(at)))
            .as_mut()
            .poll(cx)
    }
}

/// Reads 1 to 8 digits and a unit. Zero is let through: it is a deadline that has passed.
fn timeout(value: &HeaderValue) -> Option<Duration> {
    let (unit, digits) = value.as_bytes().split_last()?;
    if digits.is_empty() || digits.len() > MAX_DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let count = digits
        .iter()
        .fold(0_u64, |count, digit| count * 10 + u64::from(digit - b'0'));
    match unit {
        b'H' => Some(Duration::from_secs(count * 3_600)),
        b'M' => Some(Duration::from_secs(count * 60)),
        b'S' => Some(Duration::from_secs(count)),
        b'm' => Some(Duration::from_millis(count)),
        b'u' => Some(Duration::from_micros(count)),
        b'n' => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

/// An answer body that ends with `DEADLINE_EXCEEDED` in its trailers when the time is over; the
/// work behind it is dropped then.
#[derive(Debug)]
pub struct DeadlineBody {
    body: Option<tonic::body::Body>,
    deadline: Deadline,
}

impl DeadlineBody {
    /// `body` under `deadline`.
    #[must_use]
    pub fn new(body: tonic::body::Body, deadline: Deadline) -> Self {
        Self {
            body: Some(body),
            deadline,
        }
    }

    fn cut(&mut self) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        self.body = None;
        let status = Status::from(CallRefusal::DeadlineExceeded);
        let mut trailers = HeaderMap::new();
        let added = status.add_header(&mut trailers);
        Poll::Ready(Some(added.map(|()| Frame::trailers(trailers))))
    }
}

impl Body for DeadlineBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        let this = &mut *self;
        let Some(body) = &mut this.body else {
            return Poll::Ready(None);
        };
        if body.is_end_stream() {
            return Poll::Ready(None);
        }
        if this.deadline.has_passed() {
            return this.cut();
        }
        match Pin::new(body).poll_frame(cx) {
            Poll::Ready(frame) => Poll::Ready(frame),
            Poll::Pending if this.deadline.poll_passed(cx).is_ready() => this.cut(),
            Poll::Pending => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body
            .as_ref()
            .map_or_else(|| SizeHint::with_exact(0), Body::size_hint)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn timeouts_are_read_in_every_unit() {
        for (text, expected) in [
            ("1H", Duration::from_hours(1)),
            ("2M", Duration::from_mins(2)),
            ("3S", Duration::from_secs(3)),
            ("99999999m", Duration::from_millis(99_999_999)),
            ("5u", Duration::from_micros(5)),
            ("00000006n", Duration::from_nanos(6)),
            ("0S", Duration::ZERO),
        ] {
            assert_eq!(timeout(&HeaderValue::from_static(text)), Some(expected));
        }
        // Some 11,400 years.
        assert!(timeout(&HeaderValue::from_static("99999999H")).is_some());
    }

    #[test]
    fn anything_else_is_malformed() {
        for text in [
            "",
            "S",
            "1",
            "-1S",
            "+1S",
            "1.5S",
            "123456789m",
            "1s",
            "1 S",
            "1SS",
            "S1",
            "٣S",
        ] {
            let value = HeaderValue::from_bytes(text.as_bytes());
            assert_eq!(value.ok().and_then(|value| timeout(&value)), None, "{text}");
        }
    }

    #[tokio::test]
    async fn the_longest_timeout_is_no_trouble_for_the_clock() {
        let mut headers = HeaderMap::new();
        headers.insert(&GRPC_TIMEOUT, HeaderValue::from_static("99999999H"));
        let mut deadline = Deadline::of_request(&headers).unwrap().unwrap();
        let passed = std::future::poll_fn(|cx| Poll::Ready(deadline.poll_passed(cx).is_ready()));
        assert!(!passed.await && !deadline.has_passed());
    }
}
