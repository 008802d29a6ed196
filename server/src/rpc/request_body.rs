//! The request's frames, checked as they pass by.
//!
//! tonic reads the messages; this body in front of it only looks at each frame's prefix. It neither
//! holds back nor copies anything, and it gives the status codes that gRPC's other libraries give
//! where tonic gives its own: no message, more than one, a message over the limit.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use tonic::Status;

use super::{guard::CallLimits, refusal::CallRefusal};

/// Flag byte and 4 bytes of length.
const PREFIX_LEN: usize = 5;

/// How many messages a method's request has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestMessages {
    /// Exactly one: unary and server-streaming methods.
    One,
    /// Any number: client-streaming and bidirectional methods.
    Any,
}

/// A request body whose frames are checked. Its error is the status to answer with.
#[derive(Debug)]
pub struct RequestBody {
    source: Source,
    frames: FrameCheck,
    ended: bool,
}

/// Where the frames come from.
#[derive(Debug)]
pub enum Source {
    /// Straight from the connection.
    Grpc(axum::body::Body),
    /// From tonic-web's decoder.
    Web(tonic::body::Body),
}

impl From<axum::body::Body> for Source {
    fn from(body: axum::body::Body) -> Self {
        Self::Grpc(body)
    }
}

impl From<tonic::body::Body> for Source {
    fn from(body: tonic::body::Body) -> Self {
        Self::Web(body)
    }
}

impl Source {
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        match self {
            Self::Grpc(body) => Pin::new(body)
                .poll_frame(cx)
                .map_err(|error| Status::from_error(error.into_inner())),
            Self::Web(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Grpc(body) => body.size_hint(),
            Self::Web(body) => body.size_hint(),
        }
    }
}

impl RequestBody {
    pub(super) fn new(source: Source, limits: CallLimits) -> Self {
        Self {
            source,
            frames: FrameCheck::new(limits),
            ended: false,
        }
    }

    fn end_with(&mut self, refusal: CallRefusal) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        self.ended = true;
        Poll::Ready(Some(Err(refusal.into())))
    }
}

impl Body for RequestBody {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let Some(frame) = ready!(self.source.poll_frame(cx)) else {
            return match self.frames.end() {
                Ok(()) => Poll::Ready(None),
                Err(refusal) => self.end_with(refusal),
            };
        };
        if let Ok(frame) = &frame
            && let Some(data) = frame.data_ref()
            && let Err(refusal) = self.frames.pass(data)
        {
            return self.end_with(refusal);
        }
        Poll::Ready(Some(frame))
    }

    /// Never early: how the body ended is known, and judged, only when it is read to its end.
    fn is_end_stream(&self) -> bool {
        self.ended
    }

    fn size_hint(&self) -> SizeHint {
        self.source.size_hint()
    }
}

/// Where in the run of frames the body is.
#[derive(Debug)]
struct FrameCheck {
    limits: CallLimits,
    prefix: [u8; PREFIX_LEN],
    prefix_len: usize,
    message_len: u32,
    message_left: u32,
    seen_message: bool,
}

impl FrameCheck {
    fn new(limits: CallLimits) -> Self {
        Self {
            limits,
            prefix: [0; PREFIX_LEN],
            prefix_len: 0,
            message_len: 0,
            message_left: 0,
            seen_message: false,
        }
    }

    /// Follows the next piece of the body.
    fn pass(&mut self, mut data: &[u8]) -> Result<(), CallRefusal> {
        loop {
            data = self.skip_message(data);
            if data.is_empty() {
                return Ok(());
            }
            data = self.take_prefix(data)?;
        }
    }

    fn skip_message<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
        let left = usize::try_from(self.message_left).unwrap_or(usize::MAX);
        let skipped = left.min(data.len());
        // Cannot be cut short: `skipped` is at most `message_left`.
        self.message_left -= u32::try_from(skipped).unwrap_or(u32::MAX);
        &data[skipped..]
    }

    fn take_prefix<'d>(&mut self, data: &'d [u8]) -> Result<&'d [u8], CallRefusal> {
        if self.seen_message && self.limits.request_messages == RequestMessages::One {
            return Err(CallRefusal::ManyMessages);
        }
        let taken = data.len().min(PREFIX_LEN - self.prefix_len);
        let (head, rest) = data.split_at(taken);
        self.prefix[self.prefix_len..self.prefix_len + taken].copy_from_slice(head);
        self.prefix_len += taken;
        if self.prefix_len == PREFIX_LEN {
            let [_flag, length @ ..] = self.prefix;
            self.start_message(u32::from_be_bytes(length))?;
        }
        Ok(rest)
    }

    fn start_message(&mut self, length: u32) -> Result<(), CallRefusal> {
        let limit = self.limits.max_message_bytes;
        if usize::try_from(length).map_or(true, |length| length > limit) {
            return Err(CallRefusal::MessageTooLarge {
                found: length,
                limit,
            });
        }
        self.prefix_len = 0;
        self.message_len = length;
        self.message_left = length;
        self.seen_message = true;
        Ok(())
    }

    /// Judges the end of the body.
    fn end(&self) -> Result<(), CallRefusal> {
        if self.message_left > 0 {
            return Err(CallRefusal::TruncatedMessage {
                length: self.message_len,
                missing: self.message_left,
            });
        }
        if self.prefix_len > 0 {
            return Err(CallRefusal::TruncatedPrefix {
                found: self.prefix_len,
            });
        }
        if !self.seen_message && self.limits.request_messages == RequestMessages::One {
            return Err(CallRefusal::NoMessage);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(request_messages: RequestMessages, pieces: &[&[u8]]) -> Result<(), CallRefusal> {
        let mut frames = FrameCheck::new(CallLimits {
            request_messages,
            max_message_bytes: 10,
        });
        for piece in pieces {
            frames.pass(piece)?;
        }
        frames.end()
    }

    #[test]
    fn one_message_passes_however_it_is_cut() {
        let body = b"\0\0\0\0\x03abc";
        for cut in 0..=body.len() {
            let (head, tail) = body.split_at(cut);
            assert_eq!(check(RequestMessages::One, &[head, tail]), Ok(()), "{cut}");
        }
        assert_eq!(check(RequestMessages::One, &[b"\0\0\0\0\0"]), Ok(()));
    }

    #[test]
    fn too_few_and_too_many_messages_are_refused_where_one_is_taken() {
        let two: &[u8] = b"\0\0\0\0\x01a\0\0\0\0\0";
        assert_eq!(
            check(RequestMessages::One, &[]),
            Err(CallRefusal::NoMessage)
        );
        assert_eq!(
            check(RequestMessages::One, &[two]),
            Err(CallRefusal::ManyMessages)
        );
        assert_eq!(check(RequestMessages::Any, &[]), Ok(()));
        assert_eq!(check(RequestMessages::Any, &[two]), Ok(()));
    }

    #[test]
    fn a_length_over_the_limit_is_refused_by_its_prefix_alone() {
        assert_eq!(
            check(RequestMessages::Any, &[b"\0\xff\xff\xff\xff"]),
            Err(CallRefusal::MessageTooLarge {
                found: u32::MAX,
                limit: 10
            })
        );
        assert_eq!(
            check(RequestMessages::Any, &[b"\0\0\0\0\x0a0123456789"]),
            Ok(())
        );
    }

    #[test]
    fn a_body_that_ends_inside_a_frame_is_refused() {
        assert_eq!(
            check(RequestMessages::Any, &[b"\0\0\0"]),
            Err(CallRefusal::TruncatedPrefix { found: 3 })
        );
        assert_eq!(
            check(RequestMessages::One, &[b"\0\0\0\0\x05ab"]),
            Err(CallRefusal::TruncatedMessage {
                length: 5,
                missing: 3
            })
        );
    }

    proptest! {
        #[test]
        fn the_verdict_does_not_depend_on_how_the_body_is_cut(
            body in proptest::collection::vec(prop_oneof![4 => Just(0_u8), 1 => 0_u8..12, 1 => any::<u8>()], 0..40),
            cut in 0_usize..40,
        ) {
            let (head, tail) = body.split_at(cut.min(body.len()));
            for messages in [RequestMessages::One, RequestMessages::Any] {
                let whole = check(messages, &[&body]);
                let in_two = check(messages, &[head, tail]);
                let bytewise: Vec<&[u8]> = body.chunks(1).collect();
                prop_assert_eq!(&whole, &in_two);
                prop_assert_eq!(&whole, &check(messages, &bytewise));
            }
        }
    }
}
