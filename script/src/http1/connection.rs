//! One connection.

use std::{
    future::poll_fn,
    io,
    pin::{Pin, pin},
    task::{Context, Poll, ready},
    time::Instant,
};

use bytes::{Buf, Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};

use super::{
    body::Body,
    error::ExchangeError,
    head::{Head, MOST_BYTES},
    last_head::LastHead,
    outgoing::Outgoing,
    request::Request,
};

/// Bytes to read at once. A read that fills less tells the system that there is no more, so this
/// should hold a usual answer and a little more.
const READ_BYTES: usize = 8 << 10;

/// A connection that carries one exchange after another. It has no task of its own: it moves while
/// somebody waits for it. One that was given up in the middle of an exchange must be dropped.
#[derive(Debug)]
pub(crate) struct Connection<S> {
    stream: S,
    /// What was read and not yet understood.
    incoming: BytesMut,
    outgoing: Outgoing,
    last_head: LastHead,
    body: Body,
    /// Whether the body is complete.
    is_complete: bool,
    /// Whether both sides want to go on after this exchange.
    keeps_alive: bool,
    times: Times,
}

/// When the bytes of one exchange crossed the socket.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// The last write that took bytes.
    pub(crate) last_write: Option<Instant>,
    /// The first read that gave bytes.
    pub(crate) first_read: Option<Instant>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    /// One on a stream that was not used yet.
    pub(crate) fn new(stream: S) -> Self {
        Self {
            stream,
            incoming: BytesMut::new(),
            outgoing: Outgoing::default(),
            last_head: LastHead::default(),
            body: Body::Length(0),
            is_complete: true,
            keeps_alive: true,
            times: Times::default(),
        }
    }

    /// When the bytes of the last exchange crossed the socket.
    pub(crate) fn times(&self) -> Times {
        self.times
    }

    /// Whether another request may be sent: the last answer was read, and nothing came after it.
    pub(crate) fn is_reusable(&self) -> bool {
        self.is_complete
            && self.keeps_alive
            && self.incoming.is_empty()
            && self.outgoing.is_written()
            && self.outgoing.error.is_none()
    }

    /// Looks at an idle connection: false when the server has closed it, or has said something that
    /// nobody asked for.
    pub(crate) async fn is_open(&mut self) -> bool {
        self.incoming.reserve(1);
        poll_fn(|cx| {
            let read = pin!(self.stream.read_buf(&mut self.incoming));
            Poll::Ready(read.poll(cx).is_pending())
        })
        .await
    }

    /// Sends a request, and reads the head of the answer. Informational heads are passed over.
    ///
    /// # Errors
    /// When the connection ends or breaks before, or what comes is no HTTP.
    pub(crate) async fn send(&mut self, request: &Request<'_>) -> Result<Head, ExchangeError> {
        self.times = Times::default();
        self.outgoing.begin(request);
        self.is_complete = false;
        let mut searched = 0;
        loop {
            if self.read().await? == 0 {
                return Err(self.end_before_head());
            }
            if let Some(head) = self.take_head(request, &mut searched)? {
                return Ok(head);
            }
        }
    }

    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// When the connection ends or breaks before, or what comes is no HTTP.
    pub(crate) async fn piece(&mut self) -> Result<Option<Bytes>, ExchangeError> {
        let mut piece = BytesMut::new();
        while !self.is_complete {
            self.is_complete = self.body.decode(&mut self.incoming, &mut piece)?;
            if !piece.is_empty() {
                return Ok(Some(piece.freeze()));
            }
            self.read_on().await?;
        }
        Ok(None)
    }

    /// The rest of the body.
    ///
    /// # Errors
    /// As of [`Self::piece`].
    pub(crate) async fn collect(&mut self) -> Result<Bytes, ExchangeError> {
        if let Some(body) = self.body.whole(&mut self.incoming) {
            self.is_complete = true;
            return Ok(body);
        }
        let mut body = BytesMut::new();
        while !self.is_complete {
            self.is_complete = self.body.decode(&mut self.incoming, &mut body)?;
            self.read_on().await?;
        }
        Ok(body.freeze())
    }

    /// Reads more of a body that is not complete.
    async fn read_on(&mut self) -> Result<(), ExchangeError> {
        if !self.is_complete && self.read().await? == 0 {
            self.body.end()?;
            self.is_complete = true;
            self.keeps_alive = false;
        }
        Ok(())
    }

    fn end_before_head(&mut self) -> ExchangeError {
        match self.outgoing.error.take() {
            Some(error) => error.into(),
            None if self.times.first_read.is_some() => ExchangeError::CutShort,
            None => ExchangeError::Closed,
        }
    }

    /// The head that is there, if it is whole; `searched` is how much of it was looked at.
    fn take_head(
        &mut self,
        request: &Request<'_>,
        searched: &mut usize,
    ) -> Result<Option<Head>, ExchangeError> {
        while !self.incoming.is_empty() {
            let parsed = if may_end(&self.incoming, *searched) {
                self.last_head.parse(&self.incoming, request.method)?
            } else {
                None
            };
            let Some((head, body, length)) = parsed else {
                *searched = self.incoming.len();
                if *searched > MOST_BYTES {
                    return Err(ExchangeError::HeadTooLarge { limit: MOST_BYTES });
                }
                break;
            };
            self.incoming.advance(length);
            *searched = 0;
            if !head.is_informational() {
                self.is_complete = body == Body::Length(0);
                self.keeps_alive = head.keeps_alive && !request.closes && body != Body::UntilClose;
                self.body = body;
                return Ok(Some(head));
            }
        }
        Ok(None)
    }

    /// Reads what there is, and writes meanwhile what is not yet written; 0 at the end.
    async fn read(&mut self) -> Result<usize, ExchangeError> {
        self.incoming.reserve(READ_BYTES);
        poll_fn(|cx| self.poll_read(cx)).await
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, ExchangeError>> {
        self.write(cx);
        // Who takes nothing more may have said why, or will have in a moment.
        let read = ready!(pin!(self.stream.read_buf(&mut self.incoming)).poll(cx))?;
        if self.times.first_read.is_none() {
            if read > 0 {
                self.times.first_read = Some(Instant::now());
            } else if let Some(error) = self.outgoing.error.take() {
                return Poll::Ready(Err(error.into()));
            }
        }
        Poll::Ready(Ok(read))
    }

    /// Writes what the socket takes.
    fn write(&mut self, cx: &mut Context<'_>) {
        while !self.outgoing.is_written() && self.outgoing.error.is_none() {
            match self.outgoing.poll_write(Pin::new(&mut self.stream), cx) {
                Poll::Pending => break,
                Poll::Ready(Ok(0)) => self.outgoing.error = Some(io::ErrorKind::WriteZero.into()),
                Poll::Ready(Ok(written)) => {
                    self.outgoing.advance(written);
                    self.times.last_write = Some(Instant::now());
                }
                Poll::Ready(Err(error)) => self.outgoing.error = Some(error),
            }
        }
    }
}

/// Whether a head can end in the bytes that were not searched before. Reading a head from its
/// beginning for every byte of a slow server would cost the square of its length.
fn may_end(bytes: &[u8], searched: usize) -> bool {
    let unsearched = &bytes[searched.saturating_sub(2)..];
    searched == 0
        || unsearched.windows(2).any(|pair| pair == b"\n\n")
        || unsearched.windows(3).any(|line| line == b"\n\r\n")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
