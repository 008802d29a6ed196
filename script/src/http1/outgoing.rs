//! Writing a request.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll},
};

use bytes::{Buf, Bytes};
use tokio::io::AsyncWrite;

use super::request::Request;

/// Longest body of a request that is copied, so that one write takes it along with its head.
pub(super) const MOST_COPIED: usize = 8 << 10;

/// What is still to be written of a request.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    /// The head, and the body if it is short.
    first: Vec<u8>,
    written: usize,
    /// A longer body.
    rest: Bytes,
    /// What went wrong. An answer may be there in spite of it.
    pub(super) error: Option<io::Error>,
}

impl Outgoing {
    pub(super) fn begin(&mut self, request: &Request<'_>) {
        self.first.clear();
        self.first.extend_from_slice(request.head);
        self.written = 0;
        self.rest = Bytes::new();
        if request.body.len() <= MOST_COPIED {
            self.first.extend_from_slice(request.body);
        } else {
            self.rest = request.body.clone();
        }
    }

    pub(super) fn is_written(&self) -> bool {
        self.written == self.first.len() && self.rest.is_empty()
    }

    /// Writes once; [`Self::advance`] by as many bytes.
    pub(super) fn poll_write(
        &self,
        stream: Pin<&mut impl AsyncWrite>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        let first = &self.first[self.written..];
        if self.rest.is_empty() {
            stream.poll_write(cx, first)
        } else if first.is_empty() {
            stream.poll_write(cx, &self.rest)
        } else {
            stream.poll_write_vectored(cx, &[IoSlice::new(first), IoSlice::new(&self.rest)])
        }
    }

    pub(super) fn advance(&mut self, written: usize) {
        let of_first = written.min(self.first.len() - self.written);
        self.written += of_first;
        self.rest.advance(written - of_first);
    }
}
