//! A server for tests whose every read is told in advance.

use std::{
    collections::VecDeque,
    io,
    pin::Pin,
    task::{Context, Poll, Waker},
};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A stream that answers every request with the next list of pieces, and ends after the last one.
#[derive(Debug)]
pub(super) struct Wire {
    answers: VecDeque<Pieces>,
    /// What is left of the answer to the last request.
    current: Pieces,
    written: Vec<u8>,
    is_broken: bool,
    reader: Option<Waker>,
}

type Pieces = VecDeque<Vec<u8>>;

impl Wire {
    pub(super) fn new(answer: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let wire = Self {
            answers: VecDeque::new(),
            current: Pieces::new(),
            written: Vec::new(),
            is_broken: false,
            reader: None,
        };
        wire.then(answer)
    }

    /// Answers one more request.
    pub(super) fn then(mut self, answer: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let pieces = answer.into_iter().filter(|piece| !piece.is_empty());
        self.answers.push_back(pieces.collect());
        self
    }

    /// Answers at once, and lets every write fail.
    pub(super) fn with_broken_pipe(mut self) -> Self {
        self.is_broken = true;
        self.current = self.answers.pop_front().unwrap_or_default();
        self
    }

    /// Everything that was written.
    pub(super) fn written(&self) -> &[u8] {
        &self.written
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Some(mut piece) = self.current.pop_front() else {
            if self.answers.is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.reader = Some(cx.waker().clone());
            return Poll::Pending;
        };
        let rest = piece.split_off(piece.len().min(buffer.remaining()));
        if !rest.is_empty() {
            self.current.push_front(rest);
        }
        buffer.put_slice(&piece);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.is_broken {
            return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
        }
        self.written.extend_from_slice(bytes);
        if self.current.is_empty() {
            self.current = self.answers.pop_front().unwrap_or_default();
        }
        if let Some(reader) = self.reader.take() {
            reader.wake();
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
