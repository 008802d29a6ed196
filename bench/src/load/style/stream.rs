//! An answer that is a stream of items, read as its bytes arrive.

use bytes::{Buf as _, Bytes, BytesMut};
use http::{HeaderMap, StatusCode};

use super::{grpc_status, grpc_web};
use crate::load::{
    failure::Fault,
    wire::{Frame, frame_length, split_frame},
};

/// More than any item takes; a server that never ends one must not fill the memory.
const LONGEST_ITEM_BYTES: usize = 1 << 20;

/// How a stream is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::load) enum Format {
    /// Messages behind their prefixes, the status in HTTP/2's trailers.
    Grpc,
    /// The same with the trailers in the last frame.
    GrpcWeb,
    /// Server-sent events of JSON, until the body ends.
    Sse,
    /// Server-sent events of GraphQL answers, until `complete`.
    GraphqlSse,
    /// Lines of JSON.
    Lines,
}

/// What comes of the items of a stream.
pub(in crate::load) trait Items: Default {
    /// The number that a whole stream has.
    const ALL: usize;

    /// Decodes the next item, checks it and takes it in.
    fn take(&mut self, format: Format, item: &[u8]) -> Result<(), Fault>;

    /// How many have come.
    fn seen(&self) -> usize;

    /// What is wrong with all of them together.
    fn check(&self) -> Result<(), Fault>;
}

/// The items of one answer, each taken in as soon as its bytes are there.
#[derive(Debug)]
pub(in crate::load) struct StreamReader<I> {
    format: Format,
    /// What has come of the next item.
    rest: BytesMut,
    /// The beginning of the body, to be quoted.
    first: Bytes,
    items: I,
    /// Whether the end was announced.
    complete: bool,
    fault: Option<Fault>,
}

impl<I: Items> StreamReader<I> {
    pub(in crate::load) fn new(format: Format) -> Self {
        Self {
            format,
            rest: BytesMut::new(),
            first: Bytes::new(),
            items: I::default(),
            complete: false,
            fault: None,
        }
    }

    /// Takes a piece of the body in; `false` when it goes on and on.
    pub(in crate::load) fn push(&mut self, piece: &Bytes) -> bool {
        if self.first.is_empty() {
            self.first = piece.clone();
        }
        if self.fault.is_none() {
            self.rest.extend_from_slice(piece);
            self.fault = self.read().err();
        }
        self.rest.len() <= LONGEST_ITEM_BYTES && self.items.seen() <= I::ALL
    }

    /// Items that have come.
    pub(in crate::load) fn seen(&self) -> usize {
        self.items.seen()
    }

    /// What is wrong with the answer, now that it has ended.
    pub(in crate::load) fn check(
        self,
        status: StatusCode,
        trailers: &HeaderMap,
    ) -> Result<(), Fault> {
        if status != StatusCode::OK {
            return Err(Fault::status(status, StatusCode::OK, &self.first));
        }
        if self.format == Format::Grpc || (self.format == Format::GrpcWeb && self.first.is_empty())
        {
            grpc_status::check(trailers)?;
        }
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        if !self.rest.is_empty() {
            return Err(Fault::Framing(format!(
                "the body ends within an event, after {} bytes of it",
                self.rest.len()
            )));
        }
        let announces = matches!(self.format, Format::GrpcWeb | Format::GraphqlSse);
        if announces && !self.complete {
            return Err(Fault::Framing(
                "the body ends without saying that it is complete".to_owned(),
            ));
        }
        self.items.check()
    }

    /// Reads every item that is there whole.
    fn read(&mut self) -> Result<(), Fault> {
        match self.format {
            Format::Grpc | Format::GrpcWeb => self.read_frames(),
            Format::Sse | Format::GraphqlSse => self.read_events(),
            Format::Lines => self.read_lines(),
        }
    }

    fn read_frames(&mut self) -> Result<(), Fault> {
        while let Some(length) = frame_length(&self.rest) {
            if length > LONGEST_ITEM_BYTES {
                return Err(Fault::Framing(format!("a frame promises {length} bytes")));
            }
            if self.rest.len() < length {
                return Ok(());
            }
            match split_frame(&self.rest[..length])?.0 {
                Frame::Message(message) => self.items.take(self.format, message)?,
                Frame::Trailers(block) => {
                    grpc_web::check_trailers(block)?;
                    self.complete = true;
                }
            }
            self.rest.advance(length);
        }
        Ok(())
    }

    fn read_events(&mut self) -> Result<(), Fault> {
        let mut from = 0;
        while let Some(length) = event_length(&self.rest[from..]) {
            let block = &self.rest[from..from + length];
            from += length;
            let (kind, data) = fields(block);
            match (self.format, kind) {
                (Format::GraphqlSse, b"complete") => self.complete = true,
                (Format::GraphqlSse, b"next") | (Format::Sse, b"") => {
                    self.items.take(self.format, data)?;
                }
                (_, other) => {
                    return Err(Fault::Framing(format!(
                        "an event has the type {:?}",
                        String::from_utf8_lossy(other)
                    )));
                }
            }
        }
        self.rest.advance(from);
        Ok(())
    }

    fn read_lines(&mut self) -> Result<(), Fault> {
        let mut from = 0;
        while let Some(length) = self.rest[from..].iter().position(|byte| *byte == b'\n') {
            self.items
                .take(self.format, &self.rest[from..from + length])?;
            from += length + 1;
        }
        self.rest.advance(from);
        Ok(())
    }
}

/// Bytes up to the empty line that ends an event.
fn event_length(text: &[u8]) -> Option<usize> {
    let end = text.windows(2).position(|pair| pair == b"\n\n")?;
    Some(end + 2)
}

/// Type and data of an event whose fields take one line each, as our servers write them.
fn fields(block: &[u8]) -> (&[u8], &[u8]) {
    let (mut kind, mut data) = (&b""[..], &b""[..]);
    for line in block.split(|byte| *byte == b'\n') {
        if let Some(value) = line.strip_prefix(b"event:") {
            kind = value.trim_ascii();
        } else if let Some(value) = line.strip_prefix(b"data:") {
            data = value.trim_ascii();
        }
    }
    (kind, data)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fmt::Write as _;

    use bookstore_proto::v1::{StockEvent, StockEventKind};
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;
    use crate::load::{
        style::events::{EVENTS, EventCount},
        wire::append_framed,
    };

    fn sse(events: u32) -> String {
        let mut text = String::new();
        for id in 1..=events {
            write!(
                text,
                "data: {{\"id\":{id},\"bookId\":1,\"kind\":\"SOLD\",\"amount\":2,\"at\":\"t\"}}\n\n"
            )
            .unwrap();
        }
        text
    }

    fn graphql(events: u32) -> String {
        let text = sse(events).replace("data: ", "event: next\ndata: {\"data\":{\"events\":");
        text.replace("}\n\n", "}}}\n\n") + "event: complete\ndata:\n\n"
    }

    fn frames(events: i32, trailers: &[u8]) -> Vec<u8> {
        let mut body = BytesMut::new();
        for id in 1..=events {
            let event = StockEvent {
                id,
                book_id: 1,
                kind: StockEventKind::Sold.into(),
                amount: 1,
                at: Some(prost_types::Timestamp::default()),
            };
            append_framed(&event, &mut body);
        }
        if !trailers.is_empty() {
            body.extend_from_slice(&[0x80, 0, 0, 0, u8::try_from(trailers.len()).unwrap()]);
            body.extend_from_slice(trailers);
        }
        body.to_vec()
    }

    fn whole(format: Format) -> Vec<u8> {
        match format {
            Format::Grpc => frames(1_000, b""),
            Format::GrpcWeb => frames(1_000, b"grpc-status:0\r\n"),
            Format::Sse => sse(EVENTS).into_bytes(),
            Format::GraphqlSse => graphql(EVENTS).into_bytes(),
            Format::Lines => sse(EVENTS)
                .replace("data: ", "")
                .replace("\n\n", "\n")
                .into_bytes(),
        }
    }

    fn read(format: Format, pieces: &[&[u8]]) -> Result<(), String> {
        let mut reader = StreamReader::<EventCount>::new(format);
        for piece in pieces {
            reader.push(&Bytes::copy_from_slice(piece));
        }
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", HeaderValue::from_static("0"));
        let checked = reader.check(StatusCode::OK, &trailers);
        checked.map_err(|fault| fault.to_string())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn events_are_read_wherever_they_are_cut(cuts in prop::collection::vec(0_usize..1_000, 0..6)) {
            for format in [Format::Grpc, Format::GrpcWeb, Format::Sse, Format::GraphqlSse, Format::Lines] {
                let body = whole(format);
                let mut cuts: Vec<usize> =
                    cuts.iter().map(|cut| cut * body.len() / 1_000).collect();
                cuts.extend([0, body.len()]);
                cuts.sort_unstable();
                let pieces: Vec<&[u8]> = cuts.windows(2).map(|cut| &body[cut[0]..cut[1]]).collect();
                prop_assert_eq!(read(format, &pieces), Ok(()));
            }
        }
    }

    #[test]
    fn streams_that_are_short_or_wrong_are_named() {
        let body = whole(Format::Sse);
        let text = sse(EVENTS);
        for (format, body, named) in [
            (
                Format::Sse,
                sse(999).into_bytes(),
                "`999` instead of `1000`",
            ),
            (
                Format::Sse,
                body[..body.len() - 1].to_vec(),
                "within an event",
            ),
            (
                Format::Sse,
                text.replace("SOLD", "STOLEN").into_bytes(),
                "STOLEN",
            ),
            (
                Format::Sse,
                text.replace("\"id\":7,", "\"id\":8,").into_bytes(),
                "`8` instead of `7`",
            ),
            (
                Format::Sse,
                text.replace("\"bookId\":1", "\"bookId\":51").into_bytes(),
                "book 51",
            ),
            (Format::Sse, b"event: odd\ndata: 1\n\n".to_vec(), "odd"),
            (Format::Sse, b"data: {}\n\n".to_vec(), "not a stock event"),
            (
                Format::GraphqlSse,
                graphql(EVENTS)
                    .replace("event: complete\ndata:\n\n", "")
                    .into_bytes(),
                "complete",
            ),
            (
                Format::GraphqlSse,
                b"event: next\ndata: {\"data\":null,\"errors\":[{\"message\":\"no\"}]}\n\n"
                    .to_vec(),
                "GraphQL error: no",
            ),
            (Format::GrpcWeb, frames(1_000, b""), "complete"),
            (
                Format::GrpcWeb,
                frames(3, b"grpc-status:13\r\n"),
                "status 13",
            ),
            (Format::Grpc, frames(3, b""), "`3` instead of `1000`"),
            (Format::Grpc, vec![0, 255, 0, 0, 0], "promises"),
        ] {
            let error = read(format, &[&body]).unwrap_err();
            assert!(error.contains(named), "{error} lacks {named}");
        }
    }

    #[test]
    fn an_endless_stream_is_noticed() {
        let mut reader = StreamReader::<EventCount>::new(Format::Sse);
        assert!(reader.push(&Bytes::from(sse(EVENTS))));
        assert!(!reader.push(&Bytes::from(sse(EVENTS + 1).split_off(sse(EVENTS).len()))));
        let mut reader = StreamReader::<EventCount>::new(Format::Sse);
        assert!(!reader.push(&Bytes::from(vec![b'x'; LONGEST_ITEM_BYTES + 1])));
    }

    #[test]
    fn a_refusal_is_quoted() {
        let mut reader = StreamReader::<EventCount>::new(Format::Sse);
        reader.push(&Bytes::from_static(b"{\"detail\":\"no such stream\"}"));
        let refused = reader.check(StatusCode::NOT_FOUND, &HeaderMap::new());
        let error = refused.unwrap_err().to_string();
        assert!(
            error.contains("404") && error.contains("no such stream"),
            "{error}"
        );
    }
}
