//! What is known of one exchange.

use std::{collections::VecDeque, task::Waker};

use bytes::Bytes;

use super::{error::Failure, hpack::Head};

/// How much of an answer has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Awaited,
    /// Its head, taken or not.
    Begun,
    Complete,
}

/// How much of a request was given and sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// There may be more.
    Open,
    /// All of it is here.
    Given,
    /// The server was told that it has all.
    Ended,
}

/// One request and its answer, as far as it has come.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) id: u32,
    /// Who waits for more of the answer.
    pub(super) waker: Option<Waker>,
    pub(super) answer: Answer,
    pub(super) head: Option<Head>,
    pub(super) pieces: VecDeque<Bytes>,
    pub(super) trailers: Option<Head>,
    /// Why no more comes.
    pub(super) failure: Option<Failure>,
    /// What waits for the server's window.
    pub(super) unsent: VecDeque<Bytes>,
    pub(super) request: Request,
    /// Bytes that may be sent.
    pub(super) window: i64,
    /// Bytes that came, of the window that the server knows of.
    pub(super) received: u32,
    /// Those of them that were taken.
    pub(super) taken: u32,
}

impl Stream {
    pub(super) fn new(id: u32, window: i64) -> Self {
        Self {
            id,
            waker: None,
            answer: Answer::Awaited,
            head: None,
            pieces: VecDeque::new(),
            trailers: None,
            failure: None,
            unsent: VecDeque::new(),
            request: Request::Open,
            window,
            received: 0,
            taken: 0,
        }
    }

    /// Whether the server may still send something.
    pub(super) fn is_open(&self) -> bool {
        self.answer != Answer::Complete && self.failure.is_none()
    }

    /// Whether both sides have said everything, or the server has given up.
    pub(super) fn is_over(&self) -> bool {
        self.failure.is_some() || self.answer == Answer::Complete && self.request == Request::Ended
    }

    /// Takes a block of headers: the head of the answer, or its trailers.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn take_block(&mut self, head: Head, ends_stream: bool) -> Result<(), &'static str> {
        let is_answered = self.answer != Answer::Awaited;
        match head.status {
            Some(_) if is_answered => return Err("an answer has two heads"),
            Some(status) if status.is_informational() && ends_stream => {
                return Err("an informational head ends the answer");
            }
            Some(status) if status.is_informational() => return Ok(()),
            Some(_) => {
                self.head = Some(head);
            }
            None if !is_answered => return Err("the head of the answer has no status"),
            None if !ends_stream => return Err("something comes after the trailers"),
            None => self.trailers = Some(head),
        }
        self.answer = if ends_stream {
            Answer::Complete
        } else {
            Answer::Begun
        };
        self.wake();
        Ok(())
    }

    /// No more comes, unless everything came before.
    pub(super) fn fail(&mut self, failure: &Failure) {
        if self.is_open() {
            self.failure = Some(failure.clone());
        }
        self.unsent.clear();
        self.wake();
    }

    pub(super) fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}
