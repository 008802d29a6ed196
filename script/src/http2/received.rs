//! What a server says on a connection.

use std::mem;

use bytes::{Buf, BytesMut};

use super::{
    error::{Failure, Reason},
    frame::{self, FRAME_SIZE, FrameHead, HEAD, MOST_RECEIVED, exactly, flag, kind},
    hpack::Undecoded,
    limits::{MOST_WINDOW, WINDOW},
    state::{Block, State, TOLD, find, put_window},
    stream::{Answer, Request},
};

/// Most bytes of a compressed block of headers.
const MOST_BLOCK: usize = 1 << 20;
/// Most bytes of answers to PING and SETTINGS that wait to be written.
const MOST_REPLIES: usize = 64 << 10;

impl State {
    /// Takes all frames that are whole.
    ///
    /// # Errors
    /// When the server breaks the rules of the connection, which must be closed then.
    pub(super) fn receive(&mut self, incoming: &mut BytesMut) -> Result<(), Failure> {
        while let Some(head) = FrameHead::parse(incoming) {
            if head.length > MOST_RECEIVED {
                return Err(FRAME_SIZE);
            }
            if incoming.len() < HEAD + head.length {
                break;
            }
            incoming.advance(HEAD);
            let content = incoming.split_to(head.length);
            self.frame(head, content)?;
        }
        Ok(())
    }

    fn frame(&mut self, head: FrameHead, content: BytesMut) -> Result<(), Failure> {
        let continues = head.kind == kind::CONTINUATION;
        if continues != self.block.is_some() {
            return Err(protocol("a block of headers is interrupted"));
        }
        let is_for_stream = matches!(
            head.kind,
            kind::DATA | kind::HEADERS | kind::PRIORITY | kind::RST_STREAM | kind::CONTINUATION
        );
        let is_for_connection = matches!(head.kind, kind::SETTINGS | kind::PING | kind::GOAWAY);
        if is_for_stream && head.stream == 0 || is_for_connection && head.stream != 0 {
            return Err(protocol("a frame belongs to no such stream"));
        }
        match head.kind {
            kind::DATA => self.data(head, content),
            kind::HEADERS => self.headers(head, &content),
            kind::CONTINUATION => self.continuation(head, &content),
            kind::PRIORITY => exactly::<5>(&content).map(drop),
            kind::RST_STREAM => self.reset_by_server(head.stream, exactly(&content)?),
            kind::SETTINGS => self.settings(head, &content),
            kind::PUSH_PROMISE => Err(protocol("the server pushes")),
            kind::PING => self.ping(head, exactly(&content)?),
            kind::GOAWAY => self.gone_away(&content),
            kind::WINDOW_UPDATE => self.window_update(head.stream, exactly(&content)?),
            // Frames of types to come mean nothing.
            _ => Ok(()),
        }
    }

    fn data(&mut self, head: FrameHead, mut content: BytesMut) -> Result<(), Failure> {
        let range = frame::unpadded(head, &content)?;
        let padding = content.len() - range.len();
        // The length of a frame has 24 bits.
        let length = u32::try_from(content.len()).unwrap_or_default();
        self.received += length;
        if self.received >= TOLD {
            put_window(0, self.received, &mut self.out);
            self.received = 0;
        }
        self.check_opened(head.stream)?;
        let Some(stream) = find(&mut self.streams, head.stream).filter(|stream| stream.is_open())
        else {
            return Ok(());
        };
        stream.received += length;
        let refusal = if stream.answer == Answer::Awaited {
            Some((Reason::PROTOCOL_ERROR, "a body comes before its head"))
        } else if i64::from(stream.received) > WINDOW {
            Some((
                Reason::FLOW_CONTROL_ERROR,
                "the server sent more than it may",
            ))
        } else {
            None
        };
        if let Some((reason, text)) = refusal {
            self.refuse(head.stream, reason, text);
            return Ok(());
        }
        stream.taken += u32::try_from(padding).unwrap_or_default();
        content.truncate(range.end);
        content.advance(range.start);
        if !content.is_empty() {
            stream.pieces.push_back(content.freeze());
        }
        if head.has(flag::END_STREAM) {
            stream.answer = Answer::Complete;
        }
        stream.wake();
        Ok(())
    }

    fn headers(&mut self, head: FrameHead, content: &[u8]) -> Result<(), Failure> {
        let content = &content[frame::unpadded(head, content)?];
        self.check_opened(head.stream)?;
        let ends_stream = head.has(flag::END_STREAM);
        if head.has(flag::END_HEADERS) {
            return self.block(head.stream, ends_stream, content);
        }
        self.block = Some(Block {
            stream: head.stream,
            ends_stream,
            bytes: content.to_vec(),
        });
        Ok(())
    }

    fn continuation(&mut self, head: FrameHead, content: &[u8]) -> Result<(), Failure> {
        let Some(mut block) = self.block.take() else {
            return Ok(());
        };
        if block.stream != head.stream {
            return Err(protocol("a block of headers is interrupted"));
        }
        block.bytes.extend_from_slice(content);
        if content.is_empty() && !head.has(flag::END_HEADERS) || block.bytes.len() > MOST_BLOCK {
            let text = "a block of headers does not end";
            return Err(Failure::Violation(Reason::ENHANCE_YOUR_CALM, text));
        }
        if head.has(flag::END_HEADERS) {
            return self.block(block.stream, block.ends_stream, &block.bytes);
        }
        self.block = Some(block);
        Ok(())
    }

    /// Takes a whole block of headers.
    fn block(&mut self, id: u32, ends_stream: bool, bytes: &[u8]) -> Result<(), Failure> {
        // Also of streams that nobody knows any more: the table must not miss anything.
        let decoded = match self.decoder.decode(bytes) {
            Ok(head) => Ok(head),
            Err(Undecoded::Compression) => {
                let text = "the headers cannot be read";
                return Err(Failure::Violation(Reason::COMPRESSION_ERROR, text));
            }
            Err(Undecoded::Malformed) => Err("the headers are malformed"),
            Err(Undecoded::TooLarge) => Err("the headers are too many"),
        };
        let Some(stream) = find(&mut self.streams, id).filter(|stream| stream.is_open()) else {
            return Ok(());
        };
        if let Err(text) = decoded.and_then(|head| stream.take_block(head, ends_stream)) {
            self.refuse(id, Reason::PROTOCOL_ERROR, text);
        }
        Ok(())
    }

    fn reset_by_server(&mut self, id: u32, code: [u8; 4]) -> Result<(), Failure> {
        self.check_opened(id)?;
        let failure = Failure::Reset(Reason(u32::from_be_bytes(code)));
        if let Some(stream) = find(&mut self.streams, id) {
            stream.fail(&failure);
            // After a whole answer, the server only wants nothing more of the request.
            stream.request = Request::Ended;
        }
        Ok(())
    }

    fn settings(&mut self, head: FrameHead, content: &[u8]) -> Result<(), Failure> {
        if head.has(flag::ACK) {
            return exactly::<0>(content).map(drop);
        }
        let before = self.limits;
        if !mem::replace(&mut self.is_told, true) {
            // There is no limit but one that is told.
            self.limits.streams = usize::MAX;
        }
        self.limits.take(content)?;
        if self.limits.table != before.table {
            self.encoder.limit(self.limits.table);
        }
        let change = self.limits.window - before.window;
        for stream in &mut self.streams {
            stream.window += change;
            if stream.window > MOST_WINDOW {
                return Err(WINDOW_OVERFLOW);
            }
        }
        frame::put(&mut self.out, kind::SETTINGS, flag::ACK, 0, &[]);
        self.replied(HEAD)?;
        self.push_all();
        for waker in mem::take(&mut self.waiting) {
            waker.wake();
        }
        Ok(())
    }

    fn ping(&mut self, head: FrameHead, content: [u8; 8]) -> Result<(), Failure> {
        if head.has(flag::ACK) {
            return Ok(());
        }
        frame::put(&mut self.out, kind::PING, flag::ACK, 0, &content);
        self.replied(HEAD + content.len())
    }

    /// A server that asks and asks, and never reads, must not fill the memory.
    fn replied(&mut self, bytes: usize) -> Result<(), Failure> {
        self.replies += bytes;
        if self.replies > MOST_REPLIES {
            let text = "the server asks too much";
            return Err(Failure::Violation(Reason::ENHANCE_YOUR_CALM, text));
        }
        Ok(())
    }

    fn gone_away(&mut self, content: &[u8]) -> Result<(), Failure> {
        let (&[l0, l1, l2, l3, code @ ..], _) =
            content.split_first_chunk::<8>().ok_or(FRAME_SIZE)?;
        let last = u32::from_be_bytes([l0 & 0x7f, l1, l2, l3]);
        self.goes_away = true;
        let failure = Failure::GoneAway(Reason(u32::from_be_bytes(code)));
        for stream in self.streams.iter_mut().filter(|stream| stream.id > last) {
            stream.fail(&failure);
        }
        for waker in mem::take(&mut self.waiting) {
            waker.wake();
        }
        Ok(())
    }

    fn window_update(&mut self, id: u32, content: [u8; 4]) -> Result<(), Failure> {
        let more = i64::from(u32::from_be_bytes(content) & 0x7fff_ffff);
        if id == 0 {
            if more == 0 {
                return Err(protocol("a window grows by nothing"));
            }
            self.window += more;
            if self.window > MOST_WINDOW {
                return Err(WINDOW_OVERFLOW);
            }
        } else {
            self.check_opened(id)?;
            let Some(stream) = find(&mut self.streams, id) else {
                return Ok(());
            };
            stream.window += more;
            if more == 0 {
                self.refuse(id, Reason::PROTOCOL_ERROR, "a window grows by nothing");
            } else if stream.window > MOST_WINDOW {
                self.refuse(id, Reason::FLOW_CONTROL_ERROR, "a window is too large");
            }
        }
        self.push_all();
        Ok(())
    }

    /// A frame of a stream that was never opened breaks the connection.
    fn check_opened(&self, id: u32) -> Result<(), Failure> {
        if id.is_multiple_of(2) || id >= self.next {
            return Err(protocol("a frame belongs to no such stream"));
        }
        Ok(())
    }

    /// Gives an answer up that breaks the rules.
    fn refuse(&mut self, id: u32, reason: Reason, text: &'static str) {
        self.reset(id, reason);
        if let Some(stream) = find(&mut self.streams, id) {
            stream.fail(&Failure::Malformed(reason, text));
        }
    }
}

const WINDOW_OVERFLOW: Failure =
    Failure::Violation(Reason::FLOW_CONTROL_ERROR, "a window is too large");

fn protocol(text: &'static str) -> Failure {
    Failure::Violation(Reason::PROTOCOL_ERROR, text)
}
