//! One keep-alive HTTP/1.1 connection.

use std::{
    future::{Future, poll_fn},
    net::SocketAddr,
    pin::{Pin, pin},
    rc::Rc,
    sync::Arc,
    task::Poll,
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{Request, response::Parts};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper_util::rt::TokioIo;
use measure::{CountingStream, Traffic};

use super::{
    failure::Failure,
    timed_stream::{TimedStream, WireTimes},
    url::Target,
};

/// A connection that moves only while its virtual user waits for it; a task of its own would cost
/// a wake-up for every answer.
pub(super) struct Connection {
    sender: SendRequest<Full<Bytes>>,
    /// `None` when it has ended.
    driver: Option<http1::Connection<TokioIo<TimedStream>, Full<Bytes>>>,
    times: Rc<WireTimes>,
    /// The server's address.
    pub(super) remote: SocketAddr,
    /// Whether it has carried an exchange before.
    pub(super) reused: bool,
}

/// How long the parts of an exchange took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Timings {
    /// Until a connection was there.
    pub(super) blocked: Duration,
    /// TCP handshake; 0 on a connection that was open.
    pub(super) connecting: Duration,
    /// Until the request was written.
    pub(super) sending: Duration,
    /// To the first byte of the answer.
    pub(super) waiting: Duration,
    /// To its last byte.
    pub(super) receiving: Duration,
}

impl Timings {
    /// Sending, waiting and receiving.
    pub(super) fn duration(&self) -> Duration {
        self.sending + self.waiting + self.receiving
    }
}

impl Connection {
    /// Opens a connection and tells how long the TCP handshake took.
    pub(super) async fn open(
        target: &Target,
        traffic: &Arc<Traffic>,
    ) -> Result<(Self, Duration), Failure> {
        let addresses: Vec<SocketAddr> = match target.host.parse() {
            Ok(ip) => vec![SocketAddr::new(ip, target.port)],
            Err(_) => tokio::net::lookup_host((target.host.as_str(), target.port))
                .await
                .map_err(|error| Failure::lookup(&target.host, &error))?
                .collect(),
        };
        let began = Instant::now();
        // Dropping what closes in order: load that ends abruptly is fine for a load generator.
        let (stream, _) = CountingStream::connect(&addresses, traffic)
            .await
            .map_err(|error| Failure::dial(&error))?;
        let connecting = began.elapsed();
        let times = Rc::<WireTimes>::default();
        let stream = TimedStream {
            inner: stream,
            times: Rc::clone(&times),
        };
        let (sender, driver) = http1::Builder::new()
            .title_case_headers(true)
            .writev(false)
            .handshake(TokioIo::new(stream))
            .await
            .map_err(|error| Failure::exchange(&error))?;
        let connection = Self {
            sender,
            driver: Some(driver),
            times,
            remote: addresses
                .first()
                .copied()
                .unwrap_or(([0, 0, 0, 0], 0).into()),
            reused: false,
        };
        Ok((connection, connecting))
    }

    /// Whether another request may be sent; false when the server has closed it meanwhile.
    pub(super) async fn is_usable(&mut self) -> bool {
        let Self { sender, driver, .. } = self;
        drive(driver, sender.ready()).await.is_ok() && driver.is_some()
    }

    /// Whether the server has begun to answer the last request.
    pub(super) fn has_answered(&self) -> bool {
        self.times.first_read.get().is_some()
    }

    /// Sends a request and reads the whole answer, adding to the timings.
    pub(super) async fn exchange(
        &mut self,
        request: Request<Full<Bytes>>,
        timings: &mut Timings,
    ) -> Result<(Parts, Bytes), hyper::Error> {
        self.times.reset();
        let began = Instant::now();
        let Self { sender, driver, .. } = self;
        let result = drive(driver, sender.send_request(request)).await;
        let result = match result {
            Ok(response) => {
                let (parts, body) = response.into_parts();
                let body = drive(driver, body.collect()).await;
                body.map(|body| (parts, body.to_bytes()))
            }
            Err(error) => Err(error),
        };
        let ended = Instant::now();
        let written = self.times.last_write.get().unwrap_or(ended);
        let first = self.times.first_read.get().unwrap_or(ended);
        timings.sending = written.saturating_duration_since(began);
        timings.waiting = first.saturating_duration_since(written);
        timings.receiving = ended.saturating_duration_since(first.max(written));
        self.reused = true;
        result
    }
}

/// Waits for a future that waits for the connection.
async fn drive<C, F>(connection: &mut Option<C>, future: F) -> F::Output
where
    C: Future + Unpin,
    F: Future,
{
    let mut future = pin!(future);
    poll_fn(|cx| {
        if let Poll::Ready(output) = future.as_mut().poll(cx) {
            return Poll::Ready(output);
        }
        if let Some(running) = connection
            && Pin::new(running).poll(cx).is_ready()
        {
            // Why it ended comes out of the future.
            *connection = None;
        }
        future.as_mut().poll(cx)
    })
    .await
}
