//! The protocol of one connection, without a socket.

use std::{
    mem,
    task::{Context, Waker},
};

use bytes::Bytes;

use super::{
    error::{Failure, Reason},
    frame::{self, HEAD, PREFACE, flag, kind},
    hpack::{Decoder, Encoder, Field, Head},
    limits::{Limits, WINDOW},
    stream::{Answer, Request, Stream},
};

/// Bytes taken before the server is told that it may send as many more: half of a window.
pub(super) const TOLD: u32 = 32_768;
/// The last number that a stream can have.
const LAST_STREAM: u32 = 0x7fff_ffff;

/// Whether a stream can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    Now,
    /// When one of those that are open has ended.
    Later,
    /// On another connection only.
    Never,
}

/// What a client knows of a connection.
#[derive(Debug)]
pub(super) struct State {
    /// What is to be written.
    pub(super) out: Vec<u8>,
    pub(super) encoder: Encoder,
    pub(super) decoder: Decoder,
    pub(super) limits: Limits,
    /// Whether settings have come.
    pub(super) is_told: bool,
    /// Few, so that looking is cheaper than hashing.
    pub(super) streams: Vec<Stream>,
    pub(super) next: u32,
    /// Headers of which more must come.
    pub(super) block: Option<Block>,
    /// Bytes that may be sent on all streams together.
    pub(super) window: i64,
    /// Bytes that came and the server has not been told to replace.
    pub(super) received: u32,
    pub(super) replies: usize,
    /// The server takes no new streams.
    pub(super) goes_away: bool,
    /// Who waits to open a stream.
    pub(super) waiting: Vec<Waker>,
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) stream: u32,
    pub(super) ends_stream: bool,
    pub(super) bytes: Vec<u8>,
}

impl Default for State {
    fn default() -> Self {
        let mut out = PREFACE.to_vec();
        // ENABLE_PUSH = 0.
        frame::put(&mut out, kind::SETTINGS, 0, 0, &[0, 2, 0, 0, 0, 0]);
        Self {
            out,
            encoder: Encoder::default(),
            decoder: Decoder::default(),
            limits: Limits::default(),
            is_told: false,
            streams: Vec::new(),
            next: 1,
            block: None,
            window: WINDOW,
            received: 0,
            replies: 0,
            goes_away: false,
            waiting: Vec::new(),
        }
    }
}

impl State {
    pub(super) fn room(&self) -> Room {
        if self.goes_away || self.next > LAST_STREAM {
            Room::Never
        } else if self.streams.len() >= self.limits.streams {
            Room::Later
        } else {
            Room::Now
        }
    }

    /// Opens a stream with the head of a request.
    pub(super) fn begin(&mut self, fields: &[Field<'_>]) -> u32 {
        let id = self.next;
        self.next += 2;
        let begin = self.out.len();
        frame::put_head(&mut self.out, 0, kind::HEADERS, flag::END_HEADERS, id);
        self.encoder.encode(fields, &mut self.out);
        let length = self.out.len() - begin - HEAD;
        if length > self.limits.frame {
            self.cut_head(begin, id);
        } else {
            self.out[begin..begin + 3].copy_from_slice(&frame::length_bytes(length));
        }
        self.streams.push(Stream::new(id, self.limits.window));
        id
    }

    /// Divides a head that is too long for one frame.
    fn cut_head(&mut self, begin: usize, id: u32) {
        let block = self.out.split_off(begin + HEAD);
        self.out.truncate(begin);
        let mut pieces = block.chunks(self.limits.frame).peekable();
        let mut kind = kind::HEADERS;
        while let Some(piece) = pieces.next() {
            let is_last = pieces.peek().is_none();
            let flags = if is_last { flag::END_HEADERS } else { 0 };
            frame::put(&mut self.out, kind, flags, id, piece);
            kind = kind::CONTINUATION;
        }
    }

    /// Adds to the body of a request; nothing comes after a piece that `ends` it.
    pub(super) fn send(&mut self, id: u32, piece: Bytes, ends: bool) {
        let Some(stream) = find(&mut self.streams, id) else {
            return;
        };
        if stream.request != Request::Open || stream.failure.is_some() {
            return;
        }
        if ends {
            stream.request = Request::Given;
        }
        stream.unsent.push_back(piece);
        push(stream, &mut self.window, self.limits.frame, &mut self.out);
    }

    /// Sends what waited for a larger window.
    pub(super) fn push_all(&mut self) {
        for stream in &mut self.streams {
            push(stream, &mut self.window, self.limits.frame, &mut self.out);
        }
    }

    /// The head of the answer.
    pub(super) fn take_head(&mut self, id: u32) -> Option<Result<Head, Failure>> {
        let stream = find(&mut self.streams, id)?;
        match stream.head.take() {
            Some(head) => Some(Ok(head)),
            None => stream.failure.clone().map(Err),
        }
    }

    /// A piece of the body, or its end.
    pub(super) fn take_piece(&mut self, id: u32) -> Option<Result<Option<Bytes>, Failure>> {
        let stream = find(&mut self.streams, id)?;
        let Some(piece) = stream.pieces.pop_front() else {
            return match &stream.failure {
                Some(failure) => Some(Err(failure.clone())),
                None => (stream.answer == Answer::Complete).then_some(Ok(None)),
            };
        };
        // Pieces of one answer fit its window, and so this.
        stream.taken += u32::try_from(piece.len()).unwrap_or_default();
        if stream.is_open() {
            give_back(stream, &mut self.out);
        }
        Some(Ok(Some(piece)))
    }

    /// What came after the body.
    pub(super) fn take_trailers(&mut self, id: u32) -> Option<Head> {
        find(&mut self.streams, id)?.trailers.take()
    }

    /// Forgets an exchange, and tells the server when it is not over.
    pub(super) fn forget(&mut self, id: u32) {
        let Some(place) = self.streams.iter().position(|stream| stream.id == id) else {
            return;
        };
        let stream = self.streams.swap_remove(place);
        if !stream.is_over() {
            self.reset(id, Reason::CANCEL);
        }
        for waker in mem::take(&mut self.waiting) {
            waker.wake();
        }
    }

    /// Remembers whom to wake when more of an answer has come.
    pub(super) fn wait_for(&mut self, id: u32, waker: Waker) {
        if let Some(stream) = find(&mut self.streams, id) {
            stream.waker = Some(waker);
        }
    }

    /// Wakes nobody for this answer.
    pub(super) fn stop_waiting(&mut self, id: u32) -> Option<Waker> {
        find(&mut self.streams, id)?.waker.take()
    }

    /// Remembers whom to wake when a stream can be opened.
    pub(super) fn wait_for_room(&mut self, cx: &Context<'_>) {
        self.waiting.retain(|waker| !waker.will_wake(cx.waker()));
        self.waiting.push(cx.waker().clone());
    }

    /// Wakes one of those who wait, and gives its stream; 0 when it has none.
    pub(super) fn wake_one(&mut self) -> Option<u32> {
        let stream = self.streams.iter().find(|stream| stream.waker.is_some());
        if let Some(stream) = stream {
            stream.waker.as_ref()?.wake_by_ref();
            return Some(stream.id);
        }
        self.waiting.first()?.wake_by_ref();
        Some(0)
    }

    /// Whether nobody uses the connection.
    pub(super) fn is_idle(&self) -> bool {
        self.streams.is_empty() && self.waiting.is_empty()
    }

    /// Ends all exchanges.
    pub(super) fn fail(&mut self, failure: &Failure) {
        self.goes_away = true;
        for stream in &mut self.streams {
            stream.fail(failure);
        }
        for waker in mem::take(&mut self.waiting) {
            waker.wake();
        }
    }

    /// Tells the server that no more comes.
    pub(super) fn go_away(&mut self, reason: Reason) {
        let content = [[0; 4], reason.0.to_be_bytes()].concat();
        frame::put(&mut self.out, kind::GOAWAY, 0, 0, &content);
    }

    /// Everything that was to be written is written.
    pub(super) fn written(&mut self) {
        self.replies = 0;
    }

    pub(super) fn reset(&mut self, id: u32, reason: Reason) {
        frame::put(
            &mut self.out,
            kind::RST_STREAM,
            0,
            id,
            &reason.0.to_be_bytes(),
        );
    }
}

pub(super) fn find(streams: &mut [Stream], id: u32) -> Option<&mut Stream> {
    streams.iter_mut().find(|stream| stream.id == id)
}

/// Appends as much of a request's body as the server takes.
fn push(stream: &mut Stream, window: &mut i64, most: usize, out: &mut Vec<u8>) {
    while let Some(piece) = stream.unsent.front_mut() {
        let room = usize::try_from(stream.window.min(*window)).unwrap_or_default();
        let length = piece.len().min(room).min(most);
        if length == 0 && !piece.is_empty() {
            return;
        }
        let part = piece.split_to(length);
        if piece.is_empty() {
            stream.unsent.pop_front();
        }
        let is_last = stream.request == Request::Given && stream.unsent.is_empty();
        let flags = if is_last { flag::END_STREAM } else { 0 };
        if is_last {
            stream.request = Request::Ended;
        }
        frame::put(out, kind::DATA, flags, stream.id, &part);
        // Frames have less than 2^24 bytes.
        let sent = i64::try_from(length).unwrap_or_default();
        stream.window -= sent;
        *window -= sent;
    }
}

/// Lets the server send as much as was taken, when that is worth a frame.
fn give_back(stream: &mut Stream, out: &mut Vec<u8>) {
    if stream.taken >= TOLD {
        put_window(stream.id, stream.taken, out);
        stream.received -= stream.taken;
        stream.taken = 0;
    }
}

pub(super) fn put_window(stream: u32, bytes: u32, out: &mut Vec<u8>) {
    frame::put(out, kind::WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes());
}
