//! Reads HTTP/2 as it was on the wire. Frames are walked by hand; heads, which are compressed, are read
//! by the `h2` crate's server, to which the same bytes are sent again.

use std::time::Duration;

use tokio::{io::AsyncWriteExt as _, time::timeout};

use crate::{recorder::Conversation, traffic::Traffic};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const HEAD_OF_FRAME: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const GO_AWAY: u8 = 7;
const END_STREAM: u8 = 1;
const PADDED: u8 = 8;
/// For what a server says without being asked to answer.
const ROOM_FOR_ANSWERS: usize = 1 << 20;
/// Everything is in memory; a test that waits for it in full has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// The requests and answers of some connections.
pub fn read(conversations: &[Conversation]) -> Traffic {
    let mut traffic = Traffic::default();
    for conversation in conversations {
        let sent = conversation.sent.strip_prefix(PREFACE).unwrap();
        traffic.sent_body += body(sent);
        traffic.received_body += body(&conversation.received);
        traffic.answers += frames(&conversation.received)
            .filter(Frame::ends_stream)
            .count();
        for head in heads(sent) {
            traffic.add_request(head);
        }
    }
    traffic
}

struct Frame<'a> {
    kind: u8,
    flags: u8,
    /// The frame as it was sent.
    bytes: &'a [u8],
}

impl Frame<'_> {
    fn ends_stream(&self) -> bool {
        [DATA, HEADERS].contains(&self.kind) && self.flags & END_STREAM != 0
    }

    /// The frame; of data only that there were some, so that no window is used up.
    fn without_data(&self) -> Vec<u8> {
        if self.kind != DATA {
            return self.bytes.to_vec();
        }
        let mut empty = self.bytes[..HEAD_OF_FRAME].to_vec();
        empty[..3].fill(0);
        empty
    }
}

fn frames(mut rest: &[u8]) -> impl Iterator<Item = Frame<'_>> {
    std::iter::from_fn(move || {
        let &[high, middle, low, kind, flags, ..] = rest else {
            assert!(rest.is_empty(), "a frame was cut off");
            return None;
        };
        let length = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        let (bytes, after) = rest.split_at(HEAD_OF_FRAME + length);
        rest = after;
        Some(Frame { kind, flags, bytes })
    })
}

fn body(bytes: &[u8]) -> usize {
    frames(bytes)
        .filter(|frame| frame.kind == DATA)
        .map(|frame| {
            assert_eq!(frame.flags & PADDED, 0, "nobody pads here");
            frame.bytes.len() - HEAD_OF_FRAME
        })
        .sum()
}

/// Every request's head: pseudo-headers first, then headers in the order in which they came.
fn heads(sent: &[u8]) -> Vec<Vec<String>> {
    let mut replayed = PREFACE.to_vec();
    // A connection that says goodbye, or ends, would be closed before its requests are looked at.
    let lasting = frames(sent).filter(|frame| frame.kind != GO_AWAY);
    replayed.extend(lasting.flat_map(|frame| frame.without_data()));
    let expected = frames(sent).filter(|frame| frame.kind == HEADERS).count();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let read = async {
        let (mut client, server) = tokio::io::duplex(replayed.len() + ROOM_FOR_ANSWERS);
        client.write_all(&replayed).await.unwrap();
        let mut connection = h2::server::handshake(server).await.unwrap();
        let mut heads = Vec::new();
        let mut kept_open = Vec::new();
        while heads.len() < expected {
            let (request, respond) = connection.accept().await.unwrap().unwrap();
            heads.push(head(&request));
            kept_open.push((request, respond));
        }
        heads
    };
    runtime.block_on(async { timeout(PATIENCE, read).await.unwrap() })
}

fn head<T>(request: &http::Request<T>) -> Vec<String> {
    let mut lines = vec![format!("{} {}", request.method(), request.uri())];
    let headers = request.headers().iter();
    lines.extend(headers.map(|(name, value)| format!("{name}: {}", value.to_str().unwrap())));
    lines
}
