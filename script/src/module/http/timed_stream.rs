//! A counting socket that remembers when it was last written and first read.

use std::{
    cell::Cell,
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll, ready},
    time::Instant,
};

use measure::CountingStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// When the bytes of one exchange crossed the socket.
#[derive(Debug, Default)]
pub(super) struct WireTimes {
    /// The last write that took bytes.
    pub(super) last_write: Cell<Option<Instant>>,
    /// The first read that gave bytes.
    pub(super) first_read: Cell<Option<Instant>>,
}

impl WireTimes {
    /// Forgets the exchange before.
    pub(super) fn reset(&self) {
        self.last_write.set(None);
        self.first_read.set(None);
    }
}

/// See [`WireTimes`].
#[derive(Debug)]
pub(super) struct TimedStream {
    pub(super) inner: CountingStream,
    pub(super) times: Rc<WireTimes>,
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let result = ready!(Pin::new(&mut self.inner).poll_read(cx, buffer));
        if buffer.filled().len() > before && self.times.first_read.get().is_none() {
            self.times.first_read.set(Some(Instant::now()));
        }
        Poll::Ready(result)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let result = ready!(Pin::new(&mut self.inner).poll_write(cx, bytes));
        self.times.last_write.set(Some(Instant::now()));
        Poll::Ready(result)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(cx)
    }
}
