//! An answer and its replay from memory.

use std::{
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll},
};

use bytes::Bytes;
use http::{
    HeaderMap, Response, StatusCode,
    header::{CONNECTION, CONTENT_LENGTH, DATE, TRANSFER_ENCODING},
};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};

/// An answer as the teacher gave it: the same status, headers, frames and trailers.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: StatusCode,
    /// Its headers without those that hyper writes itself: date, length and framing.
    pub headers: HeaderMap,
    /// Its body in the chunks or DATA frames in which it came.
    pub frames: Vec<Bytes>,
    /// Its trailers.
    pub trailers: Option<HeaderMap>,
    /// Its length, when the teacher announced one in `content-length`.
    pub announced_length: Option<u64>,
}

impl Answer {
    /// Reads a response to its end.
    pub(crate) async fn read(response: Response<Incoming>) -> Result<Self, hyper::Error> {
        let (mut head, mut body) = response.into_parts();
        let announced_length = head
            .headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse().ok());
        for written_by_hyper in [DATE, CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION] {
            head.headers.remove(written_by_hyper);
        }
        let mut frames = Vec::new();
        let mut trailers = None;
        while let Some(frame) = body.frame().await.transpose()? {
            match frame.into_data() {
                // An empty DATA frame carries only the end of the stream, which the replay gives anyway.
                Ok(data) if data.is_empty() => {}
                Ok(data) => frames.push(data),
                Err(other) => trailers = other.into_trailers().ok(),
            }
        }
        Ok(Self {
            status: head.status,
            headers: head.headers,
            frames,
            trailers,
            announced_length,
        })
    }

    /// A response that replays this answer.
    #[must_use]
    pub fn response(&'static self) -> Response<Replay> {
        let mut response = Response::new(Replay {
            answer: self,
            next_frame: 0,
            trailers_due: self.trailers.is_some(),
        });
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers.clone();
        response
    }
}

/// A body that hands out a remembered answer's frames.
#[derive(Debug)]
pub struct Replay {
    answer: &'static Answer,
    next_frame: usize,
    trailers_due: bool,
}

impl Body for Replay {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let answer = self.answer;
        if let Some(data) = answer.frames.get(self.next_frame) {
            self.next_frame += 1;
            return Poll::Ready(Some(Ok(Frame::data(data.clone()))));
        }
        if self.trailers_due {
            self.trailers_due = false;
            return Poll::Ready(answer.trailers.clone().map(Frame::trailers).map(Ok));
        }
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        !self.trailers_due && self.next_frame == self.answer.frames.len()
    }

    fn size_hint(&self) -> SizeHint {
        if self.is_end_stream() {
            return SizeHint::with_exact(0);
        }
        match self.answer.announced_length {
            Some(length) if self.next_frame == 0 => SizeHint::with_exact(length),
            _ => SizeHint::default(),
        }
    }
}
