//! What an HTTP answer means for a call.

use std::rc::Rc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE};

use super::{
    body::{Body, TRAILER},
    gzip::inflate,
    trailer,
};
use crate::module::grpc::{
    status::Status,
    transport::{Ending, Incoming, framing::COMPRESSED},
};

/// What is read of a body that says nothing, so that its connection can be used again; past it,
/// closing the connection is cheaper.
const MOST_DRAINED: usize = 64 << 10;
/// Most bytes of such a body that an error shows.
const SHOWN: usize = 200;
/// Headers that say how an answer is encoded, and nothing of the call.
const ENCODINGS: [&str; 2] = ["grpc-encoding", "grpc-accept-encoding"];

/// An answer that is being read.
pub(super) struct Answer {
    headers: HeaderMap,
    /// Most bytes of a message.
    most: usize,
    content: Content,
    messages: usize,
    trailers: Option<HeaderMap>,
}

enum Content {
    Frames(Box<Body>),
    /// No gRPC-Web: why, the beginning of what came instead, and its length.
    Page(Status, Vec<u8>, usize),
}

impl Answer {
    /// Judges the head of an answer.
    pub(super) fn new(http: StatusCode, headers: HeaderMap, most: usize) -> Self {
        let body = if http == StatusCode::OK {
            Body::new(&headers, most)
        } else {
            let mut status = Status::of_http(http);
            status.message = format!("the server answered HTTP {http}");
            Err(status)
        };
        Self {
            headers,
            most,
            content: match body {
                Ok(body) => Content::Frames(Box::new(body)),
                Err(status) => Content::Page(status, Vec::new(), 0),
            },
            messages: 0,
            trailers: None,
        }
    }

    /// The metadata that comes before the messages: none when the answer is refused, and empty when
    /// its headers hold a status, for then they are trailers.
    pub(super) fn early_metadata(&self) -> Option<HeaderMap> {
        match self.content {
            Content::Page(..) => None,
            Content::Frames(_) if trailer::status_in(&self.headers).is_some() => {
                Some(HeaderMap::new())
            }
            Content::Frames(_) => {
                let mut metadata = self.headers.clone();
                trailer::strip(&mut metadata, &ENCODINGS);
                Some(metadata)
            }
        }
    }

    /// Takes a piece of the body and hands over the messages that are complete now. An error ends
    /// the call; what is left of the body need not be read.
    pub(super) fn push(&mut self, piece: Bytes, incoming: Incoming<'_>) -> Result<(), Status> {
        self.advance(incoming, |body, take| body.push(piece.clone(), take))?;
        if let Content::Page(status, shown, length) = &mut self.content {
            let room = SHOWN.saturating_sub(shown.len());
            shown.extend_from_slice(&piece[..piece.len().min(room)]);
            *length += piece.len();
            if *length > MOST_DRAINED {
                return Err(status.clone());
            }
        }
        Ok(())
    }

    /// Takes the end of the body.
    pub(super) fn end(&mut self, incoming: Incoming<'_>) -> Result<(), Status> {
        self.advance(incoming, |body, take| body.finish(take))
    }

    fn advance(
        &mut self,
        incoming: Incoming<'_>,
        step: impl FnOnce(&mut Body, super::body::TakeFrame<'_>) -> Result<(), Status>,
    ) -> Result<(), Status> {
        let Content::Frames(body) = &mut self.content else {
            return Ok(());
        };
        let encoding = self.headers.get("grpc-encoding");
        let encoding = encoding.map(HeaderValue::as_bytes);
        let (trailers, messages, most) = (&mut self.trailers, &mut self.messages, self.most);
        step(body, &mut |flags, content| {
            if trailers.is_some() {
                return Err(Status::internal("body goes on after its trailer"));
            }
            let content = if flags & COMPRESSED == 0 {
                content
            } else {
                inflate(&content, encoding, most)?
            };
            if flags & TRAILER != 0 {
                *trailers = Some(trailer::parse(&content)?);
                return Ok(());
            }
            *messages += 1;
            incoming.message(content)
        })
    }

    /// How the call ended, after its body was read to the end or something went wrong with it.
    pub(super) fn finish(self, read: Result<(), Status>) -> Ending {
        let from_headers = trailer::status_in(&self.headers);
        let content = match self.content {
            Content::Page(status, page, _) => {
                // An error status in the headers tells more than what is wrong with the answer.
                let told = from_headers.filter(|status| !status.is_ok());
                return match told {
                    Some(status) => only_headers(self.headers, status),
                    None => before_trailers(with_page(status, &page, &self.headers), self.headers),
                };
            }
            Content::Frames(_) => read,
        };
        if let Err(status) = content {
            return before_trailers(status, self.headers);
        }
        let is_silent = self.messages == 0;
        match (self.trailers, from_headers.filter(|_| is_silent)) {
            (None, Some(status)) => only_headers(self.headers, status),
            (None, None) => {
                let text = "the body ended without a trailer, so the call's status is unknown";
                before_trailers(Status::internal(text), self.headers)
            }
            // A gateway put an empty trailer frame behind an answer that was only a status.
            (Some(trailers), Some(status)) if trailer::status_in(&trailers).is_none() => {
                only_headers(self.headers, status)
            }
            (Some(mut trailers), _) => {
                let mut ending = before_trailers(trailer::status_of(&trailers), self.headers);
                trailer::strip(&mut trailers, &[]);
                ending.trailers = trailers.into();
                ending
            }
        }
    }
}

/// An answer that was nothing but a status: its headers are trailers.
fn only_headers(mut headers: HeaderMap, status: Status) -> Ending {
    trailer::strip(&mut headers, &ENCODINGS);
    headers.remove(CONTENT_TYPE);
    Ending {
        status,
        headers: Rc::default(),
        trailers: headers.into(),
    }
}

fn before_trailers(status: Status, mut headers: HeaderMap) -> Ending {
    trailer::strip(&mut headers, &ENCODINGS);
    Ending {
        status,
        headers: headers.into(),
        trailers: Rc::default(),
    }
}

/// Adds the beginning of a plain text, on one line.
fn with_page(mut status: Status, page: &[u8], headers: &HeaderMap) -> Status {
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_plain = content_type.is_none_or(|found| found.starts_with(b"text/plain"));
    let text = String::from_utf8_lossy(page);
    let words: Vec<&str> = text.split_whitespace().collect();
    if is_plain && !words.is_empty() {
        status.message = format!("{}: {}", status.message, words.join(" "));
    }
    status
}
